import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import articles  # noqa: E402


class Articles(unittest.TestCase):
    def breaches(self, article, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"Sources/Core/Core.docc/Article.md": article, **files}.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [line for _, line, _ in articles.check(Path(root))]

    def test_an_excerpt_may_have_less_indentation_than_its_file(self):
        file = {"Tests/A.swift": "struct A {\n  func b() {\n    c()\n  }\n}\n"}
        self.assertEqual(self.breaches("```swift\nfunc b() {\n  c()\n}\n```\n", file), [])

    def test_changed_code_is_found_with_its_line(self):
        file = {"Tests/A.swift": "func b() { c() }\n"}
        self.assertEqual(self.breaches("Text\n\n```swift\nfunc b() { d() }\n```\n", file), [3])

    def test_part_of_a_line_is_no_excerpt(self):
        file = {"Tests/A.swift": "func b() { c() }\n"}
        self.assertEqual(self.breaches("```swift\nfunc b()\n```\n", file), [1])

    def test_words_are_compared_with_catalogs_and_commands_with_nothing(self):
        article = '```json\n"a": "b",\n```\n```sh\nmake run\n```\n'
        self.assertEqual(self.breaches(article, {"Plugins/a.json": '{\n  "a": "b",\n}\n'}), [])


if __name__ == "__main__":
    unittest.main()
