"""Contacts as vCard files, checked with vobject, and the pages for import and duplicates."""

import base64
import re

import pytest
import vobject

from browsers import DESKTOP, PHONE, SMALL
from conftest import unique
from input_devices import Pointer
from pages import BrowserSession, Page
from visitor import Visitor
from ways import each_layout

PHOTO = base64.b64encode(b"\x89PNG" + bytes(3000)).decode()
RICH = [
    "FN:Vera Green", "N:Green;Vera;Ann;Dr.;", "BDAY:--0415",
    "item1.TEL;TYPE=home,voice:+375 29 111-22-33", "item1.X-ABLabel:Mobile",
    "ADR;TYPE=home:;;Main Street 1;Town;;220000;Belarus", "ORG:School;Library", "TITLE:Teacher",
    "CATEGORIES:Family,School", "X-STRANGE;X-P=\"a,b\":1,2", f"PHOTO:data:image/png;base64,{PHOTO}",
]
# RFC 6350, 6: properties allowed once in a card, and the format of each value that the portal writes.
ONCE = {"VERSION", "PRODID", "UID", "REV", "N", "BDAY", "ANNIVERSARY", "GENDER", "KIND"}
VALUES = {
    "VERSION": r"4\.0", "PRODID": r"-//.+//EN", "UID": r"\S+",
    "REV": r"\d{8}T\d{6}Z", "N": r"([^;\\]|\\.)*(;([^;\\]|\\.)*){4}",
    "ADR": r"([^;\\]|\\.)*(;([^;\\]|\\.)*){6}", "BDAY": r"\d{8}|--\d{4}|\d{4}(-\d\d)?|---\d\d",
    "IMPP": r"[a-z][a-z0-9+.-]*:[!-~]+", "URL": r"[a-z][a-z0-9+.-]*:[!-~]+",
    "FN": r"([^\\]|\\[nN,;\\])+", "NOTE": r"([^,;\\]|\\[nN,;\\])+",
}


def card(lines, version="4.0"):
    return "\r\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def upload(visitor, content, page="/contacts/import", name="file"):
    """Uploads a file by the form of the page and returns the redirect's location."""
    boundary = "----boundary-of-the-test"
    parts = []
    for field, value in visitor.get(page).fields(page):
        if field != name:
            parts.append(f'Content-Disposition: form-data; name="{field}"\r\n\r\n{value}')
    parts.append(
        f'Content-Disposition: form-data; name="{name}"; filename="cards.vcf"\r\n'
        f"Content-Type: text/vcard\r\n\r\n{content}")
    body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts) + f"--{boundary}--\r\n"
    answer = visitor.request("POST", page, body.encode(), {
        "Content-Type": f"multipart/form-data; boundary={boundary}"})
    assert answer.status == 303, answer
    return answer.location


def take(visitor, content):
    """Imports a file and confirms the preview."""
    preview = upload(visitor, content)
    answer = visitor.submit(preview, {})
    assert answer.status == 303, answer
    return answer.location


def properties(text):
    """Parses the content lines of a file, after a check of the line rules of RFC 6350 (3.2)."""
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    return [
        re.fullmatch(r"(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:\"[^\"]*\"|[^\";:])*)*):(.*)",
                     line, re.DOTALL)
        for line in re.sub("\r\n[ \t]", "", text).split("\r\n")[:-1]]


def check_cards(text):
    lines = properties(text)
    assert all(lines), "a line is no content line"
    seen = []
    for line in lines:
        name, parameters, value = line[1].upper(), line[2], line[3]
        if name == "BEGIN":
            seen = []
        if name == "END":
            assert seen[1] == "VERSION" and {"FN", "N", "UID", "REV"} <= set(seen)
            assert all(seen.count(name) == 1 for name in ONCE & set(seen))
        seen.append(name)
        if name in VALUES and "VALUE=text" not in parameters:
            assert re.fullmatch(VALUES[name], value), f"{name}:{value}"


def read(text):
    cards = list(vobject.readComponents(text, validate=True))
    assert all(one.validate(raiseException=True) for one in cards)
    return cards


@pytest.fixture
def anna(portal):
    return Visitor(portal).register(unique("cards"))


def test_vobject_reads_exported_contacts_that_were_typed_in(anna):
    path = anna.add_contact(
        "Vera; Green, Dr.", birthday="1985-04-12", workplace="School, No. 5", address="Main Street 1\nTown",
        notes="Likes tea; and cake\n" * 40, method_type=["phone", "email", "messenger", "web", "other"],
        method_value=["+375 29 111-22-33", "v@example.org", "@vera", "example.org/веpa", "a;b,c"])
    anna.add_contact("Мама " * 30)
    one = anna.get(f"{path}.vcf")
    check_cards(one.text)
    [vera] = read(one.text)
    assert vera.fn.value == "Vera; Green, Dr." and vera.tel.value == "+375 29 111-22-33"
    assert vera.bday.value == "19850412" and vera.note.value.startswith("Likes tea; and cake\nLikes")
    everybody = anna.get("/contacts/export.vcf")
    assert "attachment; filename=\"contacts-" in everybody.headers["Content-Disposition"]
    check_cards(everybody.text)
    assert len(read(everybody.text)) == 2
    assert [line for line in everybody.text.split("\r\n") if line.startswith("UID")] == [
        line for line in anna.get("/contacts/export.vcf").text.split("\r\n") if line.startswith("UID")]


def test_imported_contacts_are_exported_unchanged_and_readable_by_vobject(anna):
    assert take(anna, card(RICH)).startswith("/contacts?new=1")
    out = anna.get("/contacts/export.vcf").text
    check_cards(out)
    assert set(RICH) <= {line[0] for line in properties(out)}
    [vera] = read(out)
    assert vera.title.value == "Teacher" and vera.n.value.family == "Green"


def test_a_file_of_3500_cards_with_one_broken_card_is_imported_and_exported(anna):
    cards = [card([f"UID:u{n}", f"FN:Person {n}", f"TEL;TYPE=CELL:+375 29 {1000000 + n}"], "3.0")
             for n in range(1, 3501)]
    cards[49] = card(["FN:Broken", "KIND:group"], "3.0")
    preview = upload(anna, "".join(cards))
    shown = anna.get(preview).text
    assert "Broken" in shown and "Line 295" in shown
    assert anna.submit(preview, {}).status == 303
    out = anna.get("/contacts/export.vcf").text
    check_cards(out)
    assert len(read(out)) == 3499


class Shown(Page):
    """Any page, named after its path."""

    pattern = r"/.*"

    def __init__(self, session, path):
        self.kind = "cards-" + "-".join(re.findall(r"[a-z]+", re.sub(r"/\d+", "/one", path)))
        super().__init__(session)


@each_layout
def test_import_and_merge_pages_pass_the_layout_and_accessibility_checks(portal, browsers, language, size):
    anna = Visitor(portal, language=language).register(unique("cards"))
    browser = browsers(language).start_over(size)
    session = BrowserSession(browser, portal, Pointer)
    browser.sign_in_as(anna)
    take(anna, card([*RICH, "UID:a", "NOTE:Likes to be called in the evening"]) + card(
        ["UID:b", "FN:Vera Green", "TEL:8 029 111 22 33", "EMAIL:vera.green@example.org", "ORG:Clinic",
         "NOTE:Works at the library", "BDAY:19850415"], "3.0"))
    again = card([*RICH, "UID:a", "ROLE:x"]) + card(["FN:Noah Bennett", "TEL:+972545551234"]) + card(
        ["FN:Broken", "what is this"]) + card(["UID:b", "FN:Vera Green"])
    pages = [
        "/contacts?new=2&updated=1&omissions=1", "/contacts/import", upload(anna, again), "/contacts/merge",
        first_merge_page(anna), "/contacts/1",
    ]
    for path in pages:
        if path == "/contacts/1":
            path = re.findall(r'href="(/contacts/\d+)"', anna.get("/contacts").text)[0]
        session.open(path, lambda session, path=path: Shown(session, path))
    assert browser.complaints() == []


def first_merge_page(visitor):
    """Returns the path of the merge page of the first likely duplicates."""
    return re.findall(r'(?:href|action)="(/contacts/merge/[^"]+)"', visitor.get("/contacts/merge").text)[0]


def test_merging_two_contacts_can_be_undone(anna):
    take(anna, card([*RICH, "UID:a"]) + card(["UID:b", "FN:Vera Green", "EMAIL:v@example.org"]))
    before = anna.get("/contacts/export.vcf").text
    answer = anna.submit(first_merge_page(anna), {})
    assert answer.status == 303 and "/contacts/merge?deleted=" in answer.location
    [merged] = read(anna.get("/contacts/export.vcf").text)
    assert merged.email.value == "v@example.org" and merged.title.value == "Teacher"
    undone = anna.submit(answer.location, {}, action="/account/deleted/restore")
    assert undone.status == 303
    after = anna.get("/contacts/export.vcf").text
    assert re.sub("REV:.*", "", after) == re.sub("REV:.*", "", before)
