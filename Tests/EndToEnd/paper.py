"""The words of printed pages, and the words that touch one another."""

import base64
import os
import re
import subprocess
from itertools import combinations
from pathlib import Path

# A4, in inches.
PAPER = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}


class PrintedPage:
    """The open page of a browser as a PDF."""

    def __init__(self, driver, folder, name):
        """Takes a folder for the file. SCREENSHOTS keeps a copy."""
        printed = driver.execute_cdp_cmd("Page.printToPDF", {**PAPER, "printBackground": True})
        self.document = base64.b64decode(printed["data"])
        for directory in filter(None, [folder, os.environ.get("SCREENSHOTS")]):
            (Path(directory) / f"{name}.pdf").write_bytes(self.document)
        self.words = words_of(folder / f"{name}.pdf")

    @property
    def sheets(self):
        return len(re.findall(rb"/Type\s*/Page\b", self.document))

    @property
    def touching(self):
        return [pair for pair in combinations(self.words, 2) if touch(*pair)]


def words_of(file):
    """Returns the words of a PDF with the sheet and the left, upper, right and lower edges of their letters, in points."""
    printed = subprocess.run(["pdftotext", "-bbox", file, "-"], capture_output=True, check=True, text=True).stdout
    words = []
    for sheet, page in enumerate(printed.split("<page ")):
        found = re.findall(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word>', page)
        for *edges, text in found:
            if not text.strip("\u2066\u2067\u2068\u2069\u200e\u200f"):
                continue
            left, top, right, bottom = map(float, edges)
            # Letters with an outline are two texts at the same place.
            if any((text, sheet) == (other[0], other[5]) and abs(left - other[1]) < 0.1 and top < other[4] and other[2] < bottom
                   for other in words):
                continue
            # A font's box is higher than its letters, so that those of tight lines overlap.
            margin = (bottom - top) / 5
            words.append((text, left, top + margin, right, bottom - margin, sheet))
    return words


def touch(one, other):
    width = min(one[3], other[3]) - max(one[1], other[1])
    height = min(one[4], other[4]) - max(one[2], other[2])
    return one[5] == other[5] and width > 0.5 and height > 0.5
