import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import addresses

SOURCE = """struct NotePage: RoutedPage {
  static let address: Address<ID<Note>> = "/notes/{id}"
}
extension Note {
  static let pages = Pages(list: "/notes", rows: [.get("/notes/{id}.txt", text)])
}
"""


class Addresses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ["Sources/Notes", "Plugins", "docs"]:
            (self.root / name).mkdir(parents=True)
        (self.root / "Sources/Notes/Note.swift").write_text(SOURCE)

    def run_tool(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            return addresses.main(["addresses.py", str(self.root), *arguments]), printed.getvalue()

    def test_each_address_is_found_with_its_type(self):
        path = "Sources/Notes/Note.swift"
        self.assertEqual(addresses.addresses(self.root), [
            ("/notes", "Note", path), ("/notes/{id}", "NotePage", path), ("/notes/{id}.txt", "Note", path)])

    def test_a_page_that_is_not_what_the_source_says_is_refused(self):
        self.run_tool("--write")
        self.assertEqual(self.run_tool(), (0, ""))
        (self.root / "Sources/Notes/Note.swift").write_text(SOURCE.replace("/notes/{id}\"", "/note/{id}\""))
        status, printed = self.run_tool()
        self.assertEqual(status, 1)
        self.assertIn("--write", printed)


if __name__ == "__main__":
    unittest.main()
