"""The command line: its version, its configuration, its manual and its completions."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from portal import PROGRAM, command

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_is_that_of_the_package():
    number = re.search(r'^let version = "(.+)"$', (ROOT / "Package.swift").read_text(), re.M)[1]
    said = command("--version")
    assert said.returncode == 0
    assert re.fullmatch(rf"polyclinic {re.escape(number)}( \(\w+(-dirty)?, \d{{4}}-\d\d-\d\d\))?\n", said.stdout)


def test_a_command_finds_the_configuration_of_the_current_directory(portal, tmp_path):
    """Relative paths in the file begin at the file, wherever the command is given."""
    program, *words = portal.command_line("config", "show")
    explicit = subprocess.run([program, *words], capture_output=True, text=True, check=True)
    del words[-2:]
    environment = {name: value for name, value in os.environ.items() if name != "DATA"}
    here = subprocess.run(
        [program, *words], capture_output=True, text=True, check=True, cwd=portal.data, env=environment)
    assert here.stdout == explicit.stdout
    nowhere = subprocess.run(
        [PROGRAM, "config", "show"], capture_output=True, text=True, cwd=tmp_path, env=environment)
    if not Path("/etc/polyclinic/polyclinic.yaml").exists():
        assert nowhere.returncode == 2
        assert f"neither {tmp_path}/polyclinic.yaml nor /etc/polyclinic/polyclinic.yaml" in nowhere.stderr


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The directory with the manual page and the completions."""
    directory = tmp_path_factory.mktemp("pages")
    subprocess.run([ROOT / ".ci/make-man", directory, PROGRAM], check=True, timeout=900)
    return directory


def commands(*words):
    """The words of each displayed command, with the options that its help lists."""
    help_text = command(*words, "--help").stdout
    options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", help_text, re.M)
    yield words, options
    listed = help_text.partition("SUBCOMMANDS:\n")[2].partition("\n\n")[0]
    for name in re.findall(r"^  ([\w-]+)", listed, re.M):
        yield from commands(*words, name)


def manual(page):
    """The manual page as a terminal shows it, in which each command is followed by its options."""
    shown = subprocess.run(
        ["man", "--warnings", "--local-file", page], capture_output=True, text=True, check=True,
        env={**os.environ, "MANWIDTH": "500", "LC_ALL": "C.UTF-8"})
    assert not shown.stderr, shown.stderr
    return re.sub(r".\x08", "", shown.stdout)


def test_the_manual_has_every_command_and_every_option(pages):
    text = manual(pages / "polyclinic.1")
    known = list(commands())
    assert len(known) > 40 and ("covid-stats", "refresh") in [words for words, _ in known]
    places = [text.index("DESCRIPTION")]
    for words, _ in known[1:]:
        found = re.compile(rf"^ +{re.escape(words[-1])}(?: |$)", re.M).search(text, places[-1])
        assert found, words
        places.append(found.end())
    for (words, options), start, end in zip(known, places, [*places[1:], len(text)]):
        for option in options:
            assert re.search(rf"(?:^| |, ){option}(?: |$)", text[start:end], re.M), (words, option)


def test_the_same_commit_has_the_same_manual(pages, tmp_path):
    subprocess.run([ROOT / ".ci/make-man", tmp_path, PROGRAM], check=True, timeout=900)
    names = sorted(path.name for path in pages.iterdir())
    assert names == ["_polyclinic", "polyclinic.1", "polyclinic.bash", "polyclinic.fish"]
    for name in names:
        assert (tmp_path / name).read_bytes() == (pages / name).read_bytes()


def completed(script, *words):
    """The words that bash offers after these ones."""
    program = f"""
      source {script}
      COMP_WORDS=({' '.join(f'"{word}"' for word in words)}); COMP_CWORD={len(words) - 1}
      COMP_LINE="${{COMP_WORDS[*]}}"; COMP_POINT=${{#COMP_LINE}}; COMP_TYPE=9
      $(complete -p polyclinic | sed 's/.*-F \\([^ ]*\\).*/\\1/') polyclinic "{words[-1]}" "{words[-2]}"
      printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    said = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    return set(said.stdout.split())


def test_bash_completes_commands_options_and_modules(pages):
    script = pages / "polyclinic.bash"
    assert {"backup", "covid-stats", "user"} <= completed(script, "polyclinic", "")
    assert completed(script, "polyclinic", "back") == {"backup"}
    assert completed(script, "polyclinic", "user", "er") == {"erase"}
    assert "--from" in completed(script, "polyclinic", "covid-stats", "refresh", "--f")


@pytest.mark.parametrize("shell, name", [("zsh", "_polyclinic"), ("fish", "polyclinic.fish")])
def test_other_shells_accept_their_completions(pages, shell, name):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "--no-execute", pages / name], check=True)
    text = (pages / name).read_text()
    assert all(word in text for word in ["backup", "covid-stats", "import-clinics", "dry-run"])
