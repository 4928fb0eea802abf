"""Contacts as files: what another program makes of them, and the pages of files and likely duplicates."""

import base64
import re

import pytest
import vobject

from browsers import DESK, PHONE, SMALL
from conftest import unique
from hands import Pointer
from pages import Desk, Page
from visitor import Visitor

PHOTO = base64.b64encode(b"\x89PNG" + bytes(3000)).decode()
RICH = [
    "FN:Vera Green", "N:Green;Vera;Ann;Dr.;", "BDAY:--0415",
    "item1.TEL;TYPE=home,voice:+375 29 111-22-33", "item1.X-ABLabel:Mobile",
    "ADR;TYPE=home:;;Main Street 1;Town;;220000;Belarus", "ORG:School;Library", "TITLE:Teacher",
    "CATEGORIES:Family,School", "X-STRANGE;X-P=\"a,b\":1,2", f"PHOTO:data:image/png;base64,{PHOTO}",
]
# RFC 6350, 6: what a card has once and no more, and what each value is like, of what we write.
ONCE = {"VERSION", "PRODID", "UID", "REV", "N", "BDAY"}
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
    """Chooses a file on the page and sends it; where that leads to."""
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
    assert answer.status == 303, f"{answer.status}\n{answer.text}"
    return answer.location


def take(visitor, content):
    """Brings a file in, and says yes to what it holds."""
    preview = upload(visitor, content)
    answer = visitor.submit(preview, {})
    assert answer.status == 303, f"{answer.status}\n{answer.text}"
    return answer.location


def properties(text):
    """The lines of a file by our own reading, after a look at what RFC 6350 (3.2) says of them all."""
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


def test_another_program_reads_what_was_typed_in(anna):
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


def test_what_came_in_goes_out_and_another_program_reads_it(anna):
    assert take(anna, card(RICH)).startswith("/contacts?new=1")
    out = anna.get("/contacts/export.vcf").text
    check_cards(out)
    assert set(RICH) <= {line[0] for line in properties(out)}
    [vera] = read(out)
    assert vera.title.value == "Teacher" and vera.n.value.family == "Green"


def test_a_file_of_thousands_with_a_broken_card_goes_in_and_comes_out(anna):
    cards = [card([f"UID:u{n}", f"FN:Person {n}", f"TEL;TYPE=CELL:+375 29 {1000000 + n}"], "3.0")
             for n in range(1, 3501)]
    cards[49] = card(["FN:Broken", "no property"], "3.0")
    preview = upload(anna, "".join(cards))
    shown = anna.get(preview).text
    assert "Broken" in shown and "Line 295" in shown
    assert anna.submit(preview, {}).status == 303
    out = anna.get("/contacts/export.vcf").text
    check_cards(out)
    assert len(read(out)) == 3499


class Shown(Page):
    """Whatever page it is: named for its address."""

    pattern = r"/.*"

    def __init__(self, desk, path):
        self.kind = "cards-" + "-".join(re.findall(r"[a-z]+", re.sub(r"/\d+", "/one", path)))
        super().__init__(desk)


@pytest.mark.parametrize("language, size", [
    ("en", PHONE), ("ru", SMALL), ("he", PHONE), ("en", DESK), ("he", DESK)])
def test_the_pages_of_files_and_duplicates_are_legible_and_fit(portal, browsers, language, size):
    anna = Visitor(portal, language=language).register(unique("cards"))
    browser = browsers(language).start_over(size)
    desk = Desk(browser, portal, Pointer)
    browser.lend(anna)
    take(anna, card([*RICH, "UID:a", "NOTE:Likes to be called in the evening"]) + card(
        ["UID:b", "FN:Vera Green", "TEL:8 029 111 22 33", "EMAIL:vera.green@example.org", "ORG:Clinic",
         "NOTE:Works at the library", "BDAY:19850415"], "3.0"))
    again = card([*RICH, "UID:a", "ROLE:x"]) + card(["FN:Noah Bennett", "TEL:+972545551234"]) + card(
        ["FN:Broken", "what is this"]) + card(["UID:b", "FN:Vera Green"])
    pages = [
        "/contacts?new=2&updated=1&omissions=1", "/contacts/import", upload(anna, again), "/contacts/merge",
        merging(anna), "/contacts/1",
    ]
    for path in pages:
        if path == "/contacts/1":
            path = re.findall(r'href="(/contacts/\d+)"', anna.get("/contacts").text)[0]
        desk.open(path, lambda desk, path=path: Shown(desk, path))
    assert browser.complaints() == []


def merging(visitor):
    """Where the first two that look alike stand side by side."""
    found = re.findall(r'href="(/contacts/merge\?one=[^"]+)"', visitor.get("/contacts/merge").text)
    return found[0].replace("&amp;", "&")


def test_two_become_one_and_two_again(anna):
    take(anna, card([*RICH, "UID:a"]) + card(["UID:b", "FN:Vera Green", "EMAIL:v@example.org"]))
    before = anna.get("/contacts/export.vcf").text
    answer = anna.submit(merging(anna), {}, action="/contacts/merge")
    assert answer.status == 303 and "/contacts/merge?deleted=" in answer.location
    [merged] = read(anna.get("/contacts/export.vcf").text)
    assert merged.email.value == "v@example.org" and merged.title.value == "Teacher"
    undone = anna.submit(answer.location, {}, action="/account/deleted/restore")
    assert undone.status == 303
    after = anna.get("/contacts/export.vcf").text
    assert re.sub("REV:.*", "", after) == re.sub("REV:.*", "", before)
