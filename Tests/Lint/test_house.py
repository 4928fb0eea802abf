"""Each rule of the house is seen failing, and leaves alone what is right."""

import tempfile
import unittest
from pathlib import Path

import house


def breaches(files):
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        for name in ("Contacts", "Appointments"):
            (root / "Plugins" / name).mkdir(parents=True)
        (root / "Package.swift").write_text('.systemLibrary(\n  name: "CSQLite", pkgConfig: "sqlite3")\n')
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return [f"{path}:{line}: {sentence}" for path, line, sentence in house.check(root)]


class HouseTests(unittest.TestCase):
    def refused(self, path, text, expected):
        found = breaches({path: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def passes(self, path, text):
        self.assertEqual(breaches({path: text}), [])

    def test_a_plugin_imports_the_core_alone(self):
        path = "Plugins/Contacts/Contact.swift"
        self.refused(path, "import Appointments\n", f"{path}:1: a plugin must not import another plugin")
        self.refused(path, "\n@testable import PolyclinicServer\n", f"{path}:2: a plugin imports")
        self.refused(path, "public import struct CSQLite.Row\n", "not CSQLite")
        self.refused(path, "import PolyclinicVault\n", "not PolyclinicVault")
        self.passes(path, "import Foundation\nimport PolyclinicCore\n// import Appointments\n")
        self.passes(path, "import COpenSSL\nimport PolyclinicCryptography\n")

    def test_the_layers_know_only_those_below(self):
        self.refused("Sources/PolyclinicCore/A.swift", "import CSQLite\n", "PolyclinicCore imports no C")
        self.refused("Sources/PolyclinicCore/A.swift", "import Glibc\n", "PolyclinicCore imports no C")
        self.refused("Sources/PolyclinicStore/A.swift", "import PolyclinicServer\n", "stands below")
        self.refused("Sources/PolyclinicServer/A.swift", "import Contacts\n", "names plugins")
        self.passes("Sources/PolyclinicServer/A.swift", "import PolyclinicStore\n")
        self.passes("Sources/polyclinic/Modules.swift", "import Contacts\n")

    def test_a_library_stands_on_the_core_and_other_libraries(self):
        path = "Sources/PolyclinicCharts/A.swift"
        self.passes(path, "import Foundation\nimport PolyclinicCore\n")
        self.passes(path, "import PolyclinicFormats\n")
        for name in ["PolyclinicStore", "PolyclinicServer"]:
            self.refused(path, f"import {name}\n", f"and other libraries, not {name}")
        self.refused(path, "import CSQLite\n", "PolyclinicCharts imports no C")
        self.refused(path, "import Contacts\n", "names plugins")
        text = "import PolyclinicCharts\n"
        self.refused("Sources/PolyclinicCore/A.swift", text, "PolyclinicCore stands below")
        self.refused("Sources/PolyclinicStore/A.swift", text, "PolyclinicStore stands below")
        self.passes("Sources/PolyclinicServer/A.swift", text)
        self.passes("Plugins/Contacts/A.swift", text)

    def test_fastcgi_is_imported_in_its_room_alone(self):
        text = "@preconcurrency import CFastCGI\n"
        self.refused("Sources/PolyclinicServing/Supervisor/A.swift", text, "only Sources/")
        self.passes("Sources/PolyclinicServing/FastCGI/A.swift", text)

    def test_comments_begin_with_their_noun_or_verb(self):
        path = "Sources/PolyclinicCore/A.swift"
        self.refused(path, "/// Whoever asks\n/// for it.\nstruct A {}\n", f"{path}:1: begin a comment")
        self.refused(path, "// The key.\nlet a = 1\n// What is kept.\nlet b = 2\n", f"{path}:3:")
        self.passes(path, "/// The key,\n/// which is kept.\nlet url = \"https://what.example\"\n")
        few = "/// The key.\n\n" * 99 + "/// When it ends.\n"
        self.passes(path, few)

    def test_a_system_library_is_what_the_package_says(self):
        path = "Plugins/Contacts/Contact.swift"
        self.passes(path, "import CArchive\n")
        package = {"Package.swift": '.systemLibrary(name: "CArchive")', path: "import CArchive\n"}
        self.assertEqual(
            breaches(package), [f"{path}:1: a plugin imports PolyclinicCore, not CArchive"])
        package = {"Package.swift": '.systemLibrary(name: "CZlib")', path: "import CZlib\n"}
        self.assertEqual(breaches(package), [])

    def test_each_public_type_of_the_core_stands_in_one_topic(self):
        path = "Sources/PolyclinicCore/A.swift"
        page = "Sources/PolyclinicCore/PolyclinicCore.docc/PolyclinicCore.md"
        swift = (
            "public struct A {\n  public enum Inner {}\n}\n"
            "@frozen public final class B {}\nstruct Hidden {}\npublic func f() {}\n"
        )

        article = "Sources/PolyclinicCore/PolyclinicCore.docc/Adding.md"

        def text(*entries):
            return "# The core\n\n- ``Prose``\n\n## Topics\n\n### Some\n" + "".join(
                f"- {entry}\n" for entry in entries)

        def found(*entries):
            return breaches({path: swift, page: text(*entries), article: text("``A``")})

        self.assertEqual(found("``A``", "``B``", "<doc:Adding>"), [])
        self.assertEqual(
            found("``A``"), [f"{path}:4: stands in no topic of PolyclinicCore.md: B"])
        self.assertEqual(
            found("``A``", "``B``", "``A``"), [f"{page}:10: stands in a topic already: A"])
        for entry, name in [
            ("``C``", "C"), ("``Inner``", "Inner"), ("``Hidden``", "Hidden"), ("<doc:C>", "C"),
        ]:
            self.assertEqual(
                found("``A``", "``B``", entry),
                [f"{page}:10: neither a public type of PolyclinicCore nor an article: {name}"])
        library = "Sources/PolyclinicCharts/A.swift"
        self.assertEqual(
            breaches({library: swift, "Sources/PolyclinicCharts/PolyclinicCharts.docc/PolyclinicCharts.md": text("``A``")}),
            [f"{library}:4: stands in no topic of PolyclinicCharts.md: B"])
        self.assertEqual(
            breaches({path: swift, page: text("``A``", "``B``"), article: text("``C``")}),
            [f"{article}:8: neither a public type of PolyclinicCore nor an article: C"])

    def test_the_core_has_at_most_83_public_types(self):
        names = [f"T{number}" for number in range(84)]
        page = "Sources/PolyclinicCore/PolyclinicCore.docc/PolyclinicCore.md"

        def found(names):
            return breaches({
                "Sources/PolyclinicCore/A.swift": "".join(f"public enum {n} {{}}\n" for n in names),
                page: "# The core\n\n## Topics\n\n" + "".join(f"- ``{n}``\n" for n in names),
            })

        self.assertEqual(found(names[:83]), [])
        self.assertIn("84 public types, more than 83", found(names)[0])

    def test_css_is_what_safari_13_reads(self):
        for text, expected in [
            ("a:has(b) { color: red }", "selector"),
            ("a:is(b, c) { color: red }", "selector"),
            ("@supports selector(:has(a)) { a:has(b) { color: red } }\na:has(b) { color: red }", ":2: "),
            ("a { color: red;\n b { color: blue } }", ":2: nesting"),
            ("@media print { a { & b { color: blue } } }", "nesting"),
            ("a { display: flex; gap: 1px }", "gap in a flex box"),
            ("a { inset: 0 }", "inset"),
            ("a { inset-inline-start: 0 }", "inset"),
            ("a { aspect-ratio: 1 }", "aspect-ratio"),
            ("a { margin-block: 1px }", "a shorthand"),
            ("@layer a { b { color: red } }", "at-rule"),
            ("a { height: 100dvh }", "a unit"),
        ]:
            with self.subTest(text):
                self.refused("www/styles/style.css", text, expected)
        self.passes(
            "www/styles/style.css",
            "/* a:has(b) { inset: 0 } */\n@media print { a { display: grid; gap: 1px } }\n"
            "@supports (color: red) { a { box-shadow: inset 0 0 1px; color: red } }\n"
            "@supports selector(:has(a)) { a:has(b) { color: red } }\n",
        )

    def test_text_from_outside_has_one_entrance(self):
        text = "let name = String(validating: bytes, as: UTF8.self)\n"
        self.refused("Sources/PolyclinicServer/A.swift", text, "by IncomingText")
        self.refused("Plugins/Contacts/A.swift", "String(validatingCString: start)\n", "by IncomingText")
        self.passes("Sources/PolyclinicCore/Text/Charset.swift", text)
        self.passes("Sources/PolyclinicServer/A.swift", "String(decoding: stored, as: UTF8.self)\n")

    def test_markup_is_written_by_its_component_alone(self):
        path = "Plugins/Contacts/A.swift"
        written = [
            '"<div class=\\"notice\\"><p>a</p></div>"\n',
            '"""\n<div class="notice warning" role="alert">\n"""\n',
        ]
        self.refused(path, written[0], f"{path}:1: Context.notice writes this markup")
        self.refused(path, written[1], f"{path}:2: Context.notice writes this markup")
        self.refused("Sources/PolyclinicPortal/A.swift", written[1], "Context.notice writes")
        for place in ["Sources/PolyclinicCore/Components/A.swift", "Tests/ContactsTests/A.swift"]:
            self.passes(place, written[1])
        for name, component in house.COMPONENTS.items():
            text = f'"<p class=\\"own {name} wide\\">"\n'
            self.refused(path, text, f"{path}:1: {component} writes this markup")
        self.passes(path, '"<button name=\\"notice\\"><i class=\\"notice-board my-badge\\">"\n')

    def test_comments_begin_with_their_noun_or_verb(self):
        for path, riddle in [
            ("Sources/polyclinic/A.swift", "/// What the list reads.\n"),
            ("Tests/EndToEnd/a.py", '"""Whether it works."""\n'), ("Tests/EndToEnd/a.py", "# Who comes first.\n"),
        ]:
            self.refused(path, riddle, f"{path}:1: begin a comment with its noun or verb")
        self.passes("Sources/polyclinic/A.swift", "/// The excerpt for the list.\n")
        self.passes("Tests/EndToEnd/a.py", "# The first one, who waits.\n")

    def test_nothing_unfinished_lands(self):
        self.refused("Sources/polyclinic/A.swift", "// TODO: later\n", "unfinished work must not be committed: TODO")
        self.refused("www/a.js", "// FIXME\n", "unfinished work must not be committed: FIXME")
        self.passes("Sources/polyclinic/A.swift", "let toDo = 1\n")

    def test_no_path_of_a_machine_lands(self):
        self.refused("README.md", "cd /home/anna/polyclinic\n", "a path of one machine")
        self.refused("Makefile", "run:\n\t/work/x\n", "Makefile:2: a path of one machine")
        self.refused("docs/operating.md", "cd /home/anna/polyclinic\n", "a path of one machine")
        self.passes("README.md", "cd /var/lib/polyclinic\n")

    def test_the_top_level_is_fixed(self):
        self.refused("Helpers/a.swift", "", "the top level holds")
        self.passes(".ci/run", "")


if __name__ == "__main__":
    unittest.main()
