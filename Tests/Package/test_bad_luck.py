"""Installations and upgrades that go wrong: each ends with a sentence, the old portal serves, nothing is lost."""

import re

import pytest

from test_package import CONFIGURATION, SITE, anna, assert_kept, served
from waiting import until


def test_a_taken_port_is_named_and_the_portal_gets_it_later(fresh):
    fresh.run("systemd-run", "--unit=thief", "systemd-socket-activate", "--listen=443", "cat")
    until(lambda: " 0A " in fresh.run("grep", ":01BB ", "/proc/net/tcp6", check=False).stdout)
    said = fresh.install("first.deb")
    assert "Port 443 is taken by another program" in said and "dpkg-reconfigure polyclinic" in said, said
    assert fresh.run("systemctl", "is-active", "nginx", "polyclinic").stdout.split() == ["active", "active"]
    fresh.run("systemctl", "stop", "thief")
    fresh.run("dpkg-reconfigure", "polyclinic")
    until(fresh.serves)


def test_an_existing_configuration_of_nginx_is_left_alone_and_the_message_says_what_to_add(fresh):
    other = "server { listen 127.0.0.1:8080; server_name other.example; return 200; }\n"
    fresh.path("/etc/nginx/conf.d/other.conf").write_text(other)
    said = fresh.install("first.deb")
    command = re.search(r"polyclinic: +(ln -s .*)", said)
    assert command, said
    assert not fresh.serves()
    assert not fresh.path("/etc/nginx/sites-enabled/polyclinic").is_symlink()
    fresh.run("sh", "-c", command[1])
    until(fresh.serves)
    assert fresh.path("/etc/nginx/conf.d/other.conf").read_text() == other


def test_a_site_that_was_changed_by_hand_stays(used):
    site = used.path(SITE)
    changed = site.read_text() + "# by hand\n"
    site.write_text(changed)
    said = used.install("second.deb")
    assert "was changed by hand" in said and site.read_text() == changed
    assert used.path(SITE + ".new").exists()
    assert_kept(used)


def refused_upgrade(machine, packages):
    """What is said to an upgrade that is refused: the first release stays and serves, with what Anna entered."""
    said = machine.refused("second.deb")
    assert machine.version == f"{packages.number(1)} installed"
    assert_kept(machine)
    return said


def test_a_full_disk_refuses_an_upgrade(used, packages):
    free = int(used.run("df", "--output=avail", "--block-size=1M", "/usr").stdout.split()[-1])
    used.run("fallocate", "-l", f"{free - 40}M", "/var/filled")
    said = refused_upgrade(used, packages)
    assert re.search(r"has \d+ MB free, and \d+ MB are needed. Free some space", said), said
    used.run("rm", "/var/filled")
    used.install("second.deb")
    assert served(used) == 2


def test_a_configuration_that_was_broken_by_hand_refuses_an_upgrade(used, packages):
    text = used.path(CONFIGURATION).read_text()
    used.path(CONFIGURATION).write_text(text.replace("server:", "servers:"))
    said = refused_upgrade(used, packages)
    assert "servers" in said and "Nothing was changed" in said, said
    used.path(CONFIGURATION).write_text(text)
    used.install("second.deb")
    assert served(used) == 2


def test_a_missing_key_refuses_an_upgrade(used, packages):
    key = used.path("/var/lib/polyclinic/keys/master.key")
    key.rename(key.with_name("away"))
    said = refused_upgrade(used, packages)
    assert "master.key" in said and "Nothing was changed" in said, said
    key.with_name("away").rename(key)
    used.install("second.deb")
    assert served(used) == 2


def test_a_read_only_etc_refuses_an_upgrade(used, packages):
    used.run("mount", "--bind", "/etc", "/etc")
    used.run("mount", "-o", "remount,bind,ro", "/etc")
    said = refused_upgrade(used, packages)
    assert "/etc cannot be written" in said and "remount,rw" in said, said
    used.run("umount", "/etc")
    used.install("second.deb")
    assert served(used) == 2


def test_a_package_of_another_architecture_is_refused(used, packages):
    assert re.search("not installable|does not match system", used.refused("foreign.deb"))
    said = used.run("dpkg", "--install", "/packages/foreign.deb", check=False)
    assert said.returncode != 0 and "does not match system" in said.stdout
    assert used.version == f"{packages.number(1)} installed"
    assert_kept(used)


def test_a_release_whose_program_fails_leaves_the_release_before_serving_until_a_good_one_comes(used):
    said = used.refused("broken.deb")
    assert "This release cannot serve, and the one before still does" in said, said
    assert "broken" in said and "dpkg --configure -a" in said, said
    assert_kept(used)
    used.install("third.deb", "--allow-downgrades")
    assert served(used) == 3
    assert_kept(used)


def test_two_packages_at_the_same_time_end_with_one_of_them_and_the_other_can_follow(used, packages):
    both = [used.start("apt-get", "install", "--yes", f"/packages/{name}.deb") for name in ("second", "third")]
    said = [one.communicate(timeout=300)[0] for one in both]
    assert 0 in [one.returncode for one in both], said
    for one, text in zip(both, said, strict=True):
        assert one.returncode == 0 or "lock" in text or "downgrade" in text, text
    assert_kept(used)
    used.install("third.deb")
    assert served(used) == 3 and used.version == f"{packages.number(3)} installed"


def unpacking(machine):
    return list(machine.path("/usr/lib/polyclinic").glob("*.dpkg-new"))


def unpacked(machine):
    return machine.version.endswith((" unpacked", " half-configured"))


def taken_up(machine):
    return served(machine) == 2


@pytest.mark.parametrize("moment", [unpacking, unpacked, taken_up])
def test_a_loss_of_power_during_an_upgrade_loses_nothing(used, packages, moment):
    upgrade = used.start("apt-get", "install", "--yes", "/packages/second.deb")
    until(lambda: moment(used) or upgrade.poll() is not None)
    used.cut_power()
    upgrade.communicate()
    used.boot()
    assert_kept(used)
    anna(used).add_contact("After")
    # dpkg leaves the package to the next installation if it had not noted that it was unpacked.
    used.run("dpkg", "--configure", "-a", check=False)
    used.install("second.deb")
    assert used.version == f"{packages.number(2)} installed" and served(used) == 2
    assert_kept(used)
