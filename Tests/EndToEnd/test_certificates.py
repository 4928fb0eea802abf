"""Certificates in a real browser: keep, show, print, write down, clear; and no trace of them elsewhere."""

import io
import os
import signal
import threading
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from fhir.resources.R4B.bundle import Bundle

import certificates
import pictures
import plaintext
from browsers import DESK, PHONE, SMALL
from certificates import LIST, keep
from conftest import unique
from hands import Keyboard, Pointer
from pages import Desk, Page
from visitor import Visitor
from waiting import until

class ListPage(Page):
    kind, pattern = "certificates", LIST + r"(\?.*)?"


class EmptyPage(Page):
    kind, pattern = "certificates-empty", LIST


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
    """A photo of some three megabytes, as a phone of twelve megapixels takes it."""
    path = tmp_path_factory.mktemp("photo") / "photo.jpg"
    sheet = pictures.on_paper(pictures.code(module=8))
    path.write_bytes(pictures.jpeg(pictures.photo(sheet), quality=78))
    assert 2_500_000 < path.stat().st_size < 4_000_000
    return path


@pytest.mark.parametrize("size", [SMALL, PHONE, DESK], ids=lambda size: str(size[0]))
@pytest.mark.parametrize("language", ["en", "ru", "he"])
def test_a_person_keeps_shows_prints_and_clears_a_certificate_without_scripts_or_pointer(
        portal, browsers, photo, language, size):
    browser = browsers(language).start_over(size, scripts=False)
    browser.lend(Visitor(portal, language=language).register(unique("certified")))
    empty = Desk(browser, portal, Keyboard).open(LIST, EmptyPage)
    empty.find("input[name='image']").send_keys(str(photo))
    empty.desk.hands.write(empty.find("[name='label']"), "Mama")
    kept = empty.go("main form.form button", CertificatePage)
    assert kept.text("main h1") == "Mama" and kept.find("main .qr svg")
    assert kept.find("main .notice.success")
    screen = kept.go("main a[href$='/show']", ScreenPage)
    assert screen.find("main > svg").is_displayed() and not screen.find("header")
    assert screen.driver.execute_script("return getComputedStyle(document.querySelector('main')).backgroundColor") \
        == "rgb(255, 255, 255)"
    kept = screen.go("main a.button", CertificatePage)
    cards = kept.go("main a[href*='/print']", PrintPage)
    assert len(cards.all(".printed-cards > li")) == 1
    clear = cards.desk.open(kept_path(browser), CertificatePage).go(
        "main a[href$='/clear']", ClearPage)
    cleared = clear.go("main button.danger", ListPage)
    undone = cleared.go("main .notice form button", CertificatePage)
    assert undone.text("main h1") == "Mama"
    assert browser.complaints() == []


def kept_path(browser):
    """The address of the certificate whose cards are shown."""
    return LIST + "/" + browser.path.rpartition("=")[2]


@pytest.mark.parametrize("language", ["en", "ru", "he"])
def test_a_vaccination_is_written_down_by_keyboard(portal, browsers, language):
    browser = browsers(language).start_over(PHONE, scripts=False)
    browser.lend(Visitor(portal, language=language).register(unique("recorded")))
    record = Desk(browser, portal, Keyboard).open(f"{LIST}/record", RecordPage)
    new = record.go("main a[href$='/record/new']", NewVaccinationPage)
    new.desk.hands.write(new.find("[name='vaccine']"), "Td-pur")
    browser.driver.execute_script("document.querySelector('[name=date]').value = '2026-05-01'")
    shown = new.go("main form.form p.actions button", VaccinationPage)
    assert shown.text("main h1") == "Td-pur"
    assert browser.complaints() == []


def test_a_picture_is_pasted_from_the_clipboard(portal, browsers):
    browser = browsers("en").start_over(DESK)
    browser.lend(Visitor(portal).register(unique("pasting")))
    page = Desk(browser, portal, Pointer).open(LIST, EmptyPage)
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


def test_a_photo_is_kept_and_read_within_a_second_and_a_half(portal, photo):
    visitor = Visitor(portal).register(unique("quick"))
    content = photo.read_bytes()
    took = []
    for _ in range(3):
        begun = time.monotonic()
        answer = keep(visitor, content)
        assert answer.status == 303, answer.text
        assert "<div class=\"qr\"><svg" in visitor.get(answer.location).text
        took.append(time.monotonic() - begun)
    # The fastest of three: other tests share the machine.
    assert min(took) < 1.5, took


def test_the_copy_has_what_certificates_say_as_resources_that_another_program_accepts(portal):
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


def test_neither_picture_nor_name_nor_text_of_a_code_stands_in_any_file(portal, tmp_path):
    visitor = Visitor(portal).register(unique("hidden"))
    secrets = {"text": "HC1:NOBODY-ELSE-READS-THIS", "label": "Grandmother Zq"}
    picture = pictures.file(pictures.code(secrets["text"]))
    answer = keep(visitor, picture, label=secrets["label"])
    assert answer.status == 303
    stored = visitor.get(f"{answer.location.partition('?')[0]}/image").body
    assert plaintext.found(portal.data, secrets) == []
    assert plaintext.found_open(portal.pids(""), secrets) == []
    for content in (picture[-64:], stored[-64:]):
        holding = [path for path in plaintext.files(portal.data) if content in path.read_bytes()]
        assert holding == []


def test_a_decoder_that_is_killed_leaves_no_trace_and_its_worker_goes_on(portal, photo):
    visitor = Visitor(portal).register(unique("killed"))
    before, workers = set(Path("/tmp").iterdir()), portal.workers
    content, stop = photo.read_bytes(), threading.Event()

    def kill():
        while not stop.is_set():
            for pid in decoders():
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


def decoders():
    """The process ids of all decoders that run."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if "polyclinic-decode" in (entry / "comm").read_text() + os.readlink(entry / "exe"):
                    yield int(entry.name)
