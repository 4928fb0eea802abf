"""The lint of folders is seen failing on a circle, and leaves alone what uses folders one way."""

import tempfile
import unittest
from pathlib import Path

import folders
from swift_source import code

TARGET = "Sources/PolyclinicCore"


def breaches(files):
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name, text in files.items():
            path = root / TARGET / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [
            f"{path.relative_to(TARGET)}:{line}: {sentence}"
            for path, line, sentence in folders.check(root)]


class FolderTests(unittest.TestCase):
    def test_two_folders_that_use_each_other_are_a_circle(self):
        files = {
            "Time/Instant.swift": "struct Instant {\n  func row(_ row: Row) {}\n}\n",
            "Data/Row.swift": "struct Row { var at: Instant }\n",
            "Data/Column.swift": "struct Column { var since, until: Instant, of: Instant }\n",
        }
        sentence = "Time/Instant.swift:2: Row → Data closes a circle: Data, Time"
        self.assertEqual(breaches(files), [sentence])
        files["Time/Instant.swift"] = "struct Instant {}\n"
        self.assertEqual(breaches(files), [])

    def test_a_circle_of_three_folders_is_found_at_its_lightest_edge(self):
        files = {
            "A/A.swift": "struct A { var b: B; var c: [B] }\n",
            "B/B.swift": "struct B { var c: C; var d: [C] }\n",
            "C/C.swift": "struct C {}\nextension A {}\n",
        }
        self.assertEqual(
            breaches(files), ["C/C.swift:2: A → A closes a circle: A, B, C"])

    def test_a_link_to_a_page_is_no_use_of_it(self):
        page = "struct List { var link: Path { Card.path(1) }; var more: Path { Card.file.pattern } }\n"
        files = {"A/List.swift": page, "B/Card.swift": "struct Card { var back: Path { List.path } }\n"}
        self.assertEqual(breaches(files), [])
        files["A/List.swift"] += "var card: Card?\n"
        files["B/Card.swift"] += "var list: List?\n"
        self.assertEqual(len(breaches(files)), 1)

    def test_no_folder_uses_the_root(self):
        files = {"Module.swift": "struct Module { var page: Page }\n", "Web/Page.swift": "struct Page {}\n"}
        self.assertEqual(breaches(files), [])
        files["Web/Page.swift"] = "struct Page { var module: Module }\n"
        self.assertEqual(
            breaches(files),
            ["Web/Page.swift:1: Module → the target's root, which no folder may use"])

    def test_a_member_counts_in_the_folder_that_adds_it(self):
        files = {
            "Low/Text.swift": "struct Text {\n  var all: Int { 1 }\n}\nlet text = Text().folded\n",
            "High/Folding.swift": "extension Text {\n  var folded: Text { self }\n}\nlet a: Text? = nil\n",
        }
        sentence = "Low/Text.swift:4: folded → High closes a circle: High, Low"
        self.assertEqual(breaches(files), [sentence])
        # Two declarations of one name: nobody knows which one is meant.
        files["Low/Other.swift"] = "struct Other { var folded = 1 }\n"
        self.assertEqual(breaches(files), [])

    def test_a_nested_type_counts_in_the_folder_that_adds_it(self):
        files = {
            "Low/Form.swift": "struct Form {}\nlet a: Form.Field?\n",
            "High/Field.swift": "extension Form {\n  struct Field {}\n}\nvar form: Form { Form() }\n",
        }
        sentence = "Low/Form.swift:2: Field → High closes a circle: High, Low"
        self.assertEqual(breaches(files), [sentence])

    def test_a_function_counts_in_its_folder(self):
        files = {
            "Low/Text.swift": "struct Text { let a = fold(1) }\n",
            "High/Fold.swift": "func fold(_ one: Int) -> Text? { nil }\nlet a: Text? = nil\n",
        }
        self.assertEqual(
            breaches(files), ["Low/Text.swift:1: fold → High closes a circle: High, Low"])

    def test_own_private_and_nested_names_are_no_uses(self):
        files = {
            "Low/Text.swift": "struct Text {\n  enum Kind {}\n  let kind: Kind\n}\nprivate struct Row {}\nlet row: Row\n",
            "High/Row.swift": "struct Row { let text: Text }\nstruct Kind {}\nprivate struct Hidden {}\n",
            "Low/Other.swift": "struct Hidden {}\nlet hidden: Hidden\nlet kind: Text.Kind\nlet point: Point.Row\n",
        }
        self.assertEqual(breaches(files), [])

    def test_comments_and_strings_are_no_uses_but_interpolations_are(self):
        high = "struct Row { let text: Text, other: Text }\n"
        low = '/// A ``Row``.\n/* Row */ struct Text {}\nlet a = "Row \\(1) Row"\nlet b = """\n  Row\n  """\n'
        self.assertEqual(breaches({"Low/Text.swift": low, "High/Row.swift": high}), [])
        low += 'let c = "\\(Row("a)"))"\n'
        self.assertEqual(
            breaches({"Low/Text.swift": low, "High/Row.swift": high}),
            ["Low/Text.swift:7: Row → High closes a circle: High, Low"])

    def test_code_keeps_lines_and_interpolations(self):
        self.assertEqual(code('a "b" // c\nd'), "a         \nd")
        self.assertEqual(code('"x\\(y("z)"))w"').split(), ["(y(", "))"])
        self.assertEqual(code('#"\\(a) \\#(b)"#').split(), ["(b)"])
        self.assertEqual(code('/"/\nd'), '/  \nd')
        self.assertEqual(code('"""\n a " b \\(c)\n """\nd').split(), ["(c)", "d"])


if __name__ == "__main__":
    unittest.main()
