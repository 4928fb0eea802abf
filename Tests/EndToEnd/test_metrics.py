"""Health measurements: saving, import, export, and the printed report."""

import io
import os
import signal
import threading
import zipfile

import pytest
from fhir.resources.R4B.bundle import Bundle

from conftest import unique
from test_cards import upload
from demo_users import demo_user
from paper import PrintedPage
from visitor import Visitor
from ways import LANGUAGES, parametrized

SPANS = ["week", "month", "quarter", "year", "all"]


@pytest.fixture(scope="module")
def town(start_portal):
    """A portal with demonstration data, in which the first patient has a year of measurements."""
    return start_portal(options=["--demo"])


@parametrized(
    "language, span", [(language, span) for language in LANGUAGES for span in SPANS],
    [("en", "week"), ("ru", "month"), ("he", "all")])
def test_the_report_is_one_printed_page_on_which_no_text_touches_another(town, browsers, tmp_path, language, span):
    patient = demo_user(town, "patient", language)
    browser = browsers(language).start_over()
    browser.sign_in_as(patient)
    browser.driver.get(f"{town.origin}/health-metrics/report?range={span}")
    report = PrintedPage(browser.driver, tmp_path, f"report-{span}-{language}")
    assert report.sheets == 1
    assert len(report.words) > 60
    assert report.touching == []


def test_a_weight_and_a_reading_are_saved_and_the_deleted_reading_is_restored(portal):
    anna = Visitor(portal).register(unique("measurer"))
    weight = anna.submit(
        "/health-metrics/weights/new",
        {"value": "72,5", "unit": "kg", "measured_at": "2026-05-04T08:00", "note": ""})
    assert weight.status == 303 and "72.5 kg" in anna.get(weight.location).text
    reading = anna.submit(
        "/health-metrics/blood-pressure/new",
        {"systolic": "120", "diastolic": "80", "measured_at": "2026-05-04T08:00"})
    assert reading.status == 303 and "120/80" in anna.get(reading.location).text
    deleted = anna.submit(f"{reading.location}/delete", {})
    assert deleted.location.startswith("/health-metrics/blood-pressure?deleted=")
    assert anna.get(weight.location).status == 200
    restored = anna.submit(deleted.location, {}, action="/account/deleted/restore")
    assert restored.location == reading.location
    turned = anna.submit(
        "/health-metrics/blood-pressure/new",
        {"systolic": "80", "diastolic": "120", "measured_at": "2026-05-04T08:00"})
    assert turned.status == 422 and 'id="diastolic-error"' in turned.text


def test_the_export_contains_a_valid_fhir_bundle(portal):
    anna = Visitor(portal).register(unique("copied"))
    anna.submit(
        "/health-metrics/weights/new",
        {"value": "160", "unit": "lb", "measured_at": "2026-05-04T08:00", "note": "after breakfast"})
    anna.submit(
        "/health-metrics/blood-pressure/new",
        {"systolic": "120", "diastolic": "80", "pulse": "60", "arm": "left",
         "measured_at": "2026-05-04T08:00"})
    answer = anna.submit("/account/export", {})
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as copy:
        assert {"profile.json", "weights.csv", "blood-pressure.csv"} <= set(copy.namelist())
        bundle = Bundle.model_validate_json(copy.read("fhir.json"))
    kinds = [entry.resource.get_resource_type() for entry in bundle.entry]
    assert kinds == ["Patient", "Observation", "Observation", "Observation"]
    assert bundle.entry[1].resource.valueQuantity.code == "[lb_av]"
    patient = f"Patient/{bundle.entry[0].resource.id}"
    assert {entry.resource.subject.reference for entry in bundle.entry[1:]} == {patient}


READINGS = "/health-metrics/blood-pressure"


def readings(count):
    """Returns a CSV file of readings at intervals of twelve hours, all some years old."""
    lines = [f"{(1_600_000_000 - 43_200 * n) * 1_000},{120 + n % 17},{70 + n % 13},{60 + n % 11}"
             for n in range(count)]
    return "\r\n".join(["timestampUnixMs,systolic,diastolic,pulse", *lines])


def send(visitor, text):
    return upload(visitor, text, page=f"{READINGS}/import")


def test_a_file_with_invalid_readings_is_not_imported_at_all(portal):
    anna = Visitor(portal).register(unique("importer"))
    wrong = readings(300).replace(",133,", ",33,")
    page = send(anna, wrong)
    assert "Cannot be imported" in anna.get(page).text
    assert anna.submit(page, {}).status == 422
    assert "No readings yet" in anna.get(READINGS).text
    taken = anna.submit(send(anna, readings(300)), {})
    assert taken.location == f"{READINGS}?imported=300"
    assert "300 readings" in anna.get(READINGS).text


def kill_while_it_is_taken_in(portal, pause):
    """Kills all workers during an import; returns the visitor, the form and the status."""
    anna, statuses = Visitor(portal).register(unique("importer")), []
    page = send(anna, readings(5_000))
    fields = anna.filled(page, {})
    sent = threading.Thread(target=lambda: statuses.append(anna.post(page, fields).status))
    sent.start()
    sent.join(pause)
    for worker in portal.workers:
        os.kill(worker, signal.SIGKILL)
    sent.join()
    return anna, (page, fields), statuses[0]


def test_an_import_interrupted_by_a_killed_worker_stores_all_or_nothing(start_portal):
    portal = start_portal()
    # On a fast machine the import may finish before the kill, so the pause shrinks.
    for pause in (0.2, 0.1, 0.05, 0.02):
        anna, form, status = kill_while_it_is_taken_in(portal, pause)
        if status != 303:
            break
        assert "5,000 readings" in anna.get(READINGS).text
    assert status == 502
    # The worker may have died between its commit and its response.
    stored = anna.get(READINGS).text
    assert "No readings yet" in stored or "5,000 readings" in stored
    assert anna.post(*form).status == 303
    assert "5,000 readings" in anna.get(READINGS).text
    assert portal.run("check").returncode == 0
