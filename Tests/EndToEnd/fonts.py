"""Fonts that a test's browser sees, whatever is installed on the machine."""

import os
from pathlib import Path

# By name: Debian's package, the family for sans-serif, and its directory.
FAMILIES = {
    "dejavu": ("fonts-dejavu-core", "DejaVu Sans", "dejavu"),
    "liberation": ("fonts-liberation", "Liberation Sans", "liberation"),
    "noto": ("fonts-noto-core", "Noto Sans", "noto"),
    "roboto": ("fonts-roboto-unhinted", "Roboto", "roboto"),
}
ROOT = Path("/usr/share/fonts/truetype")


def configuration(name, directory):
    """Writes a configuration of fontconfig that shows one family, and DejaVu for the letters that it lacks.

    Returns the path of its file."""
    package, family, folder = FAMILIES[name]
    assert (ROOT / folder).is_dir(), f"{package} is missing. As root: .ci/install test"
    # With the directories on the way, in which fontconfig would look for nothing otherwise.
    shown = "".join(f"<glob>{one}</glob>" for one in [
        *ROOT.parents, ROOT, ROOT / folder, ROOT / folder / "*", ROOT / "dejavu", ROOT / "dejavu/DejaVuSans*"])
    rules = "".join(
        f"<match target='pattern'><test name='family'><string>{generic}</string></test>"
        f"<edit name='family' mode='prepend' binding='strong'><string>{family}</string></edit></match>"
        for generic in ["sans-serif", "system-ui"])
    # Processes of tests share the directory: none reads what another has half written.
    draft = directory / f"{name}-{os.getpid()}.conf"
    draft.write_text(
        "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'urn:fontconfig:fonts.dtd'>"
        "<fontconfig><include>/etc/fonts/fonts.conf</include>"
        f"<selectfont><acceptfont>{shown}</acceptfont><rejectfont><glob>/*</glob></rejectfont></selectfont>"
        f"<cachedir>{directory / 'cache'}</cachedir>{rules}</fontconfig>")
    return draft.replace(directory / f"{name}.conf")
