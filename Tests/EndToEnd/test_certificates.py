"""Certificates in a real browser: upload, show, print and clear; and no plaintext of them in files."""

import io
import os
import signal
import threading
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from fhir.resources.R4B.bundle import Bundle

import certificates
import pictures
import plaintext
from browsers import DESKTOP, PHONE, SMALL
from certificates import LIST, NEW, keep
from conftest import unique
from demo_users import demo_user
from input_devices import Keyboard, Pointer
from pages import BrowserSession, Page
from paper import PrintedPage
from portal import stat
from visitor import Visitor
from waiting import until
from ways import each_language, each_language_and_size

class ListPage(Page):
    kind, pattern = "certificates", LIST + r"(\?.*)?"


class EmptyPage(Page):
    kind, pattern = "certificates-empty", LIST


class NewPage(Page):
    kind, pattern = "certificate-new", NEW


class CertificatePage(Page):
    kind, pattern = "certificate", LIST + r"/\d+(\?.*)?"


class ScreenPage(Page):
    kind, pattern = "certificate-screen", LIST + r"/\d+/show"


class PrintPage(Page):
    kind, pattern = "certificate-print", LIST + r"/print(\?.*)?"


class ClearPage(Page):
    kind, pattern = "certificate-clear", LIST + r"/\d+/clear"


class RecordPage(Page):
    kind, pattern = "vaccination-record", LIST + r"/record(\?.*)?"


class NewVaccinationPage(Page):
    kind, pattern = "vaccination-new", LIST + r"/record/new(\?.*)?"


class VaccinationPage(Page):
    kind, pattern = "vaccination", LIST + r"/record/\d+"


@pytest.fixture(scope="module")
def photo(tmp_path_factory):
    """A photo of 12 megapixels and some three megabytes, as from a phone."""
    path = tmp_path_factory.mktemp("photo") / "photo.jpg"
    sheet = pictures.on_paper(pictures.code(module=8))
    path.write_bytes(pictures.jpeg(pictures.photo(sheet), quality=78))
    assert 2_500_000 < path.stat().st_size < 4_000_000
    return path


@each_language_and_size
def test_a_certificate_is_uploaded_shown_printed_and_cleared_by_keyboard_without_scripts(
        portal, browsers, photo, language, size):
    browser = browsers(language).start_over(size, scripts=False)
    browser.sign_in_as(Visitor(portal, language=language).register(unique("certified")))
    empty = BrowserSession(browser, portal, Keyboard).open(LIST, EmptyPage)
    new = empty.go("main a[href$='/new']", NewPage)
    new.find("input[name='image']").send_keys(str(photo))
    new.session.device.write(new.find("[name='label']"), "Mama")
    kept = new.go("main form.form button", CertificatePage)
    assert kept.text("main h1") == "Mama" and kept.find("main .qr svg")
    assert kept.find("main .notice.success")
    screen = kept.go("main a[href$='/show']", ScreenPage)
    assert screen.find("main > svg").is_displayed() and not screen.find("header")
    assert screen.driver.execute_script("return getComputedStyle(document.querySelector('main')).backgroundColor") \
        == "rgb(255, 255, 255)"
    kept = screen.go("main a.button", CertificatePage)
    cards = kept.go("main a[href*='/print']", PrintPage)
    assert len(cards.all(".printed-cards > li")) == 1
    clear = cards.session.open(kept_path(browser), CertificatePage).go(
        "main a[href$='/clear']", ClearPage)
    cleared = clear.go("main button.danger", ListPage)
    undone = cleared.go("main .notice form button", CertificatePage)
    assert undone.text("main h1") == "Mama"
    assert browser.complaints() == []


def kept_path(browser):
    """Returns the path of the certificate on the open print page."""
    return LIST + "/" + browser.path.rpartition("=")[2]


@each_language
def test_a_vaccination_is_recorded_by_keyboard(portal, browsers, language):
    browser = browsers(language).start_over(PHONE, scripts=False)
    browser.sign_in_as(Visitor(portal, language=language).register(unique("recorded")))
    record = BrowserSession(browser, portal, Keyboard).open(f"{LIST}/record", RecordPage)
    new = record.go("main a[href$='/record/new']", NewVaccinationPage)
    new.session.device.write(new.find("[name='vaccine']"), "Td-pur")
    browser.driver.execute_script("document.querySelector('[name=date]').value = '2026-05-01'")
    shown = new.go("main form.form .actions button", VaccinationPage)
    assert shown.text("main h1") == "Td-pur"
    assert browser.complaints() == []


def test_a_picture_is_pasted_from_the_clipboard(portal, browsers):
    browser = browsers("en").start_over(DESKTOP)
    browser.sign_in_as(Visitor(portal).register(unique("pasting")))
    page = BrowserSession(browser, portal, Pointer).open(NEW, NewPage)
    assert page.find("[data-paste-hint]").is_displayed()
    browser.driver.execute_async_script("""
      const [bytes, done] = arguments;
      const held = new DataTransfer();
      held.items.add(new File([new Uint8Array(bytes)], 'pasted.png', { type: 'image/png' }));
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: held, bubbles: true, cancelable: true }));
      done();
    """, list(pictures.file(pictures.code("HC1:PASTED"))))
    kept = page.go("main form.form button", CertificatePage)
    assert kept.find("main .qr svg")


def test_a_photo_is_stored_and_its_code_read(portal, photo):
    visitor = Visitor(portal).register(unique("photographer"))
    answer = keep(visitor, photo.read_bytes())
    assert answer.status == 303, answer
    assert "<div class=\"qr\"><svg" in visitor.get(answer.location).text


def test_the_export_contains_certificates_as_valid_fhir_resources(portal):
    visitor = Visitor(portal).register(unique("copied"))
    kinds = {"v": certificates.VACCINATION, "t": certificates.TEST, "r": certificates.RECOVERY}
    for name, entry in kinds.items():
        text = certificates.payload(**{name: entry})
        assert keep(visitor, pictures.file(pictures.code(text))).status == 303
    visitor.submit(f"{LIST}/record/new", {"vaccine": "Td-pur", "date": "2026-05-01", "dose": "2"})
    with zipfile.ZipFile(io.BytesIO(visitor.submit("/account/export", {}).body)) as copy:
        names = copy.namelist()
        bundle = Bundle.model_validate_json(copy.read("fhir.json"))
    assert len([name for name in names if name.startswith("certificates/") and "-page-" in name]) == 3
    resources = [entry.resource for entry in bundle.entry]
    assert [one.get_resource_type() for one in resources] == [
        "Patient", "Immunization", "Observation", "Condition", "Immunization"]
    assert resources[1].protocolApplied[0].doseNumberPositiveInt == 1


def test_no_file_contains_a_certificate_picture_label_or_code_text_in_the_clear(portal, tmp_path):
    visitor = Visitor(portal).register(unique("hidden"))
    secrets = {"text": "HC1:NOBODY-ELSE-READS-THIS", "label": "Grandmother Zq"}
    picture = pictures.file(pictures.code(secrets["text"]))
    answer = keep(visitor, picture, label=secrets["label"])
    assert answer.status == 303
    stored = visitor.get(f"{answer.location.partition('?')[0]}/image").body
    assert plaintext.found(portal.data, secrets) == []
    assert plaintext.found_open(portal.pids(""), secrets) == []
    for content in (picture[-64:], stored[-64:]):
        assert not [path for path, kept in plaintext.contents(portal.data).items() if content in kept]


def test_a_killed_decoder_leaves_no_files_and_its_worker_keeps_running(portal, photo):
    visitor = Visitor(portal).register(unique("killed"))
    before, workers = set(Path("/tmp").iterdir()), portal.workers
    content, stop = photo.read_bytes(), threading.Event()

    def kill():
        while not stop.is_set():
            for pid in decoders(workers):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        answer = keep(visitor, content, label="Zq Mother")
    finally:
        stop.set()
        killer.join()
    assert answer.status == 422 and "Zq Mother" in answer.text
    assert portal.workers == workers
    assert not [path for path in set(Path("/tmp").iterdir()) - before if "polyclinic" in path.name]
    assert keep(visitor, content).status == 303


def decoders(workers):
    """Yields the process ids of the decoders that these workers run."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                named = "polyclinic-decode" in (entry / "comm").read_text() + os.readlink(entry / "exe")
                if named and int(stat(entry.name)[1]) in workers:
                    yield int(entry.name)


def test_a_certificate_is_printed_on_two_sheets_from_the_top_of_the_first(town, browsers, tmp_path):
    browser = browsers("en").start_over(DESKTOP)
    driver = browser.sign_in_as(demo_user(town, "patient"))
    driver.get(f"{town.origin}{LIST}/1")
    printed = PrintedPage(driver, tmp_path, "certificate")
    assert printed.sheets == 2
    assert "Grandmother" in [word for word, *_, sheet in printed.words if sheet == 1]
