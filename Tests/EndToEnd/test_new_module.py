"""`polyclinic module new` writes valid packages, and refuses invalid names and directories."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from portal import PROGRAM

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
LISTS = ["Package.swift", "Sources/polyclinic/Modules.swift", "Tests/PortalTests/FilledPortal.swift", "www/styles/style.css"]


@pytest.fixture
def checkout(tmp_path):
    """A copy of the files that name modules."""
    copy = tmp_path / "portal"
    for name in LISTS:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    return copy


def new(directory, *words):
    return subprocess.run(
        [PROGRAM, "module", "new", *words], cwd=directory, capture_output=True, text=True, timeout=30)


def package(directory):
    """The package as the package manager reads it."""
    told = subprocess.run(
        ["swift", "package", "--package-path", directory, "dump-package"], capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def test_a_new_module_is_added_to_the_package_of_the_checkout(checkout):
    told = new(checkout, "food-allergies")
    assert told.returncode == 0 and "swift test --filter FoodAllergiesTests" in told.stdout, told.stderr
    targets = {target["name"]: target for target in package(checkout)["targets"]}
    assert targets["FoodAllergies"]["path"] == "Plugins/FoodAllergies"
    names = [name for one in targets["polyclinic"]["dependencies"] for name in one["byName"] if name]
    assert "FoodAllergies" in names and "FoodAllergiesTests" in targets
    formatted = ["swift", "format", "lint", "--strict", "--recursive", checkout]
    assert subprocess.run(formatted, capture_output=True, timeout=300).returncode == 0


def test_a_new_package_contains_the_module_and_its_tests(checkout, tmp_path):
    directory = tmp_path / "riverside"
    told = new(checkout, "food-allergies", "--package", directory)
    assert told.returncode == 0, told.stderr
    assert [target["name"] for target in package(directory)["targets"]] == [
        "portal", "FoodAllergies", "FoodAllergiesTests"]
    assert (directory / "www/styles/style.css").is_file()
    again = new(checkout, "food-allergies", "--package", directory)
    assert again.returncode == 2 and again.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["Allergies"], ["contacts"], ["login"], ["allergies", "--record", "Form"]])
def test_a_wrong_name_writes_nothing(checkout, words):
    told = new(checkout, *words)
    assert told.returncode == 2 and told.stderr.count("\n") == 1 and not told.stdout
    assert not (checkout / "Plugins").exists()


def test_a_directory_without_a_checkout_is_refused(tmp_path):
    told = new(tmp_path, "allergies")
    assert told.returncode == 2 and "checkout" in told.stderr
