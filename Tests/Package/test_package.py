"""The package from its installation to its purge, on a Debian with systemd."""

import json
import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from packages import PACKAGE
from waiting import until

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = "/etc/polyclinic/polyclinic.yaml"
SITE = "/etc/nginx/sites-available/polyclinic"


def anna(machine):
    """Anna, signed in."""
    visitor = machine.visitor()
    answer = visitor.sign_in("anna")
    assert answer.status == 303, answer
    return visitor


def assert_kept(machine):
    """Asserts that the portal serves, with what Anna entered."""
    until(machine.serves)
    assert "Kept" in anna(machine).get(machine.contact).text


def kept_releases(machine):
    """The descriptions of the releases that a rollback can return to, and of the present one."""
    return list(machine.path("/var/lib/polyclinic/data").glob("releases/*/release.json"))


def served(machine):
    """The number of the release whose style sheet a page names."""
    page = machine.visitor().get("/login")
    style = machine.visitor().get(re.search(r'<link rel="stylesheet" href="([^"]+)"', page.text)[1])
    return int((re.findall(r"/\* release (\d+) \*/", style.text) or ["1"])[-1])


def test_an_installation_serves_the_first_page_and_prints_the_link_of_the_first_administrator(fresh):
    start = time.monotonic()
    said = fresh.install("first.deb")
    link = re.search(r"created here, once: (https://clinic\.example/setup/\S+)", said)
    assert link, said
    until(fresh.serves)
    print(f"installed and served after {time.monotonic() - start:.1f} s")
    again = re.search(r"once: https://\S+(/setup/\S+)", fresh.portal("setup"))
    administrator = fresh.visitor().register("admin", page=again[1])
    assert administrator.get("/admin").status == 200
    contact = fresh.visitor().register("anna").add_contact("First")
    assert contact
    assert "passes its own check" in fresh.portal("check")
    assert "once" not in fresh.portal("setup")


def test_the_service_is_hardened_and_runs_as_its_own_user_with_private_files(used):
    assert used.run("systemctl", "is-enabled", "polyclinic").stdout.strip() == "enabled"
    processes = "/sys/fs/cgroup/system.slice/polyclinic.service/cgroup.procs"
    users = used.run("sh", "-c", f"cd /proc && stat --format=%U $(cat {processes})").stdout
    assert len(users.split()) >= 4 and set(users.split()) == {"polyclinic"}, users
    said = used.run("systemd-analyze", "security", "polyclinic").stdout
    assert float(re.search(r"exposure level for polyclinic\.service: ([\d.]+)", said)[1]) <= 1.5, said
    modes = used.run(
        "stat", "--format=%U %a %n", *(f"/var/lib/polyclinic{part}" for part in [
            "", "/data", "/keys", "/keys/master.key", "/backups", "/certificate/key.pem"])).stdout
    assert modes.splitlines() == [
        "polyclinic 750 /var/lib/polyclinic", "polyclinic 700 /var/lib/polyclinic/data",
        "polyclinic 700 /var/lib/polyclinic/keys", "polyclinic 600 /var/lib/polyclinic/keys/master.key",
        "polyclinic 700 /var/lib/polyclinic/backups", "polyclinic 600 /var/lib/polyclinic/certificate/key.pem"]
    decoder = "/usr/lib/polyclinic/polyclinic-decode"
    assert "not found" not in used.run("ldd", decoder, "/usr/lib/polyclinic/polyclinic").stdout


def test_a_portal_of_the_package_starts_again_after_a_loss_of_power(used):
    used.cut_power()
    used.boot()
    assert_kept(used)


def test_an_upgrade_serves_throughout_and_keeps_data_and_the_administrators_changes(used, packages):
    text = used.path(CONFIGURATION).read_text()
    used.path(CONFIGURATION).write_text(text.replace('name: "Polyclinic"', 'name: "Riverside"'))
    read, saved, is_over = [], [], threading.Event()
    visitor = anna(used)

    def visit():
        while not is_over.is_set():
            read.append(visitor.get("/contacts").status)
            saved.append(visitor.submit("/contacts/new", {"name": f"During {len(saved)}"}))

    thread = threading.Thread(target=visit)
    thread.start()
    try:
        used.install("second.deb")
    finally:
        is_over.set()
        thread.join()
    assert set(read) == {200} and {answer.status for answer in saved} == {303}, saved
    assert used.version == f"{packages.number(2)} installed" and served(used) == 2
    assert "Riverside" in used.visitor().get("/login").text
    assert_kept(used)
    for number, answer in enumerate(saved):
        assert f"During {number}" in visitor.get(answer.location).text


def test_a_downgrade_goes_back_by_a_rollback_and_keeps_what_was_entered_since(used, packages):
    used.install("second.deb")
    later = anna(used).add_contact("By the second release")
    until(lambda: len(kept_releases(used)) == 2)
    said = used.install("first.deb", "--allow-downgrades")
    assert "serves now" in said, said
    assert used.version == f"{packages.number(1)} installed" and served(used) == 1
    assert_kept(used)
    assert "By the second release" in anna(used).get(later).text
    used.run("systemctl", "restart", "polyclinic")
    assert_kept(used)


def test_a_downgrade_that_cannot_serve_is_refused_and_the_later_release_stays(used, packages):
    used.install("second.deb")
    until(lambda: len(kept_releases(used)) == 2)
    shutil.rmtree(min(kept_releases(used), key=lambda path: path.stat().st_mtime).parent)
    said = used.refused("first.deb", "--allow-downgrades")
    assert "No earlier release is kept" in said and "stays" in said, said
    assert used.version == f"{packages.number(2)} installed" and served(used) == 2
    assert_kept(used)


def test_a_removal_keeps_the_data_and_a_new_installation_finds_them(used):
    used.run("apt-get", "remove", "--yes", "polyclinic")
    assert not used.serves()
    assert used.run("nginx", "-t").returncode == 0
    assert used.run("systemctl", "is-active", "nginx").stdout.strip() == "active"
    assert used.path(CONFIGURATION).exists()
    used.install("first.deb")
    assert_kept(used)


def test_a_purge_deletes_what_the_package_made_and_says_where_the_keys_are(used):
    used.path("/etc/polyclinic/notes.txt").write_text("of the administrator\n")
    said = used.run("apt-get", "purge", "--yes", "polyclinic").stdout
    for part in ("data", "keys", "backups"):
        assert f"/var/lib/polyclinic/{part}" in said, said
    left = used.run("find", "/etc", "/usr", "/lib/systemd", "-name", "*polyclinic*").stdout.split()
    assert left == ["/etc/polyclinic"], left
    assert used.path("/etc/polyclinic/notes.txt").exists()
    assert used.path("/var/lib/polyclinic/keys/master.key").exists()
    used.install("first.deb")
    assert_kept(used)


def test_a_purge_of_a_portal_without_data_leaves_nothing(fresh):
    fresh.install("first.deb")
    fresh.run("sh", "-c", "systemctl stop polyclinic; rm -r /var/lib/polyclinic/data /var/lib/polyclinic/keys /var/lib/polyclinic/backups")
    said = fresh.run("apt-get", "purge", "--yes", "polyclinic").stdout
    assert "What people entered" not in said
    assert not fresh.path("/var/lib/polyclinic").exists() and not fresh.path("/etc/polyclinic").exists()


def test_the_package_has_no_error_for_lintian():
    ended = subprocess.run(
        ["lintian", "--fail-on", "error", "--suppress-tags",
         # A quick try packs without compression.
         "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball", PACKAGE],
        capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_package_names_every_shared_library_and_every_part_with_its_licence(packages):
    files = sorted(Path(PACKAGE).parent.glob("*.cdx.json"))
    parts = json.loads(files[-1].read_text())
    assert parts["bomFormat"] == "CycloneDX"
    names = {part["name"]: part for part in parts["components"]}
    assert {"swift", "yams", "libyaml", "libssl3", "libsqlite3-0", "geonames"} <= set(names)
    assert all(part["licenses"][0]["expression"] for part in parts["components"])
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    for pin in pins:
        assert names[pin["identity"]]["version"] == pin["state"]["version"]


def test_the_scripts_of_the_package_pass_shellcheck():
    scripts = [ROOT / ".ci/make-deb", ROOT / ".ci/install", *sorted((ROOT / ".ci/deb").glob("p[ro]*"))]
    ended = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout


def test_the_same_programs_make_the_same_package(tmp_path):
    """Packs the programs of the package again, in two places and times."""
    unpacked = tmp_path / "unpacked"
    subprocess.run(["dpkg-deb", "--extract", PACKAGE, unpacked], check=True)
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        environment = os.environ | {
            "POLYCLINIC_BIN": str(unpacked / "usr/lib/polyclinic/polyclinic"), "COMPRESSION": "none",
            "TMPDIR": str(tmp_path / name), "VERSION": "9.9.9", "SOURCE_DATE_EPOCH": "1800000000",
            "OUTPUT": str(tmp_path / name)}
        subprocess.run([ROOT / ".ci/make-deb"], env=environment, check=True, stdout=subprocess.DEVNULL)
        made.append([path.read_bytes() for path in sorted((tmp_path / name).glob("polyclinic_*"))])
    assert len(made[0]) == 2 and made[0] == made[1]
