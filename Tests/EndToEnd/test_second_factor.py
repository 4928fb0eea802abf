"""Two-factor codes with third-party authenticators, and their pages in a browser."""

import io
import subprocess

import pyotp
import pytest
import zxingcpp
from PIL import Image

from authenticator import earlier_code, key_on, steady
from browsers import DESKTOP, PHONE, SMALL
from conftest import unique
from input_devices import Keyboard, Pointer
from pages import DashboardPage, BrowserSession, Page, SignInPage
from test_accounts import person_page
from visitor import PASSWORD, Visitor

SET_UP = "/account/two-factor/set-up"


class StatePage(Page):
    kind, pattern = "two-factor", "/account/two-factor"


class SetUpPage(Page):
    kind, pattern = "two-factor-set-up", SET_UP


class SheetPage(Page):
    kind, pattern = "recovery-codes", f"{SET_UP}|/login/code"


class CodePage(Page):
    kind, pattern = "sign-in-code", "/login"


class WrongCodePage(Page):
    kind, pattern = "sign-in-code-wrong", "/login/code"


class SessionsPage(Page):
    kind, pattern = "sessions-trusted", "/account/sessions"


def set_up(visitor):
    """Sets up two-factor codes and returns the key."""
    page = visitor.get(SET_UP)
    key = key_on(page.text)
    fields = dict(page.fields(SET_UP)) | {"code": earlier_code(key), "current_password": PASSWORD}
    answer = visitor.post(SET_UP, fields)
    assert answer.status == 200 and "Recovery codes" in answer.text, answer
    return key


def oathtool(key):
    run = subprocess.run(
        ["oathtool", "--totp", "--base32", key], capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.mark.parametrize("app", [lambda key: pyotp.TOTP(key).now(), oathtool], ids=["pyotp", "oathtool"])
def test_a_code_of_a_third_party_authenticator_signs_in(portal, person, app):
    key = set_up(anna := person())
    visitor = Visitor(portal)
    page = visitor.sign_in(anna.login)
    assert page.status == 200 and visitor.get("/account").status == 303
    steady()
    assert visitor.send_code(page, app(key)).status == 303
    assert visitor.get("/account").status == 200


def test_a_new_doctor_sets_up_two_factor_codes_at_sign_in(
        portal, administrator, visitor):
    doctor = visitor().register(unique("doctor"), role="doctor")
    page = person_page(administrator, doctor.login)
    assert administrator.submit(page, {}, action=f"{page}/approve").status == 303
    page = doctor.sign_in(doctor.login)
    assert page.status == 200 and doctor.get("/account").status == 303
    sheet = doctor.send_code(page, earlier_code(key_on(page.text)))
    assert sheet.status == 200 and "Recovery codes" in sheet.text
    assert doctor.get("/account").status == 200


@pytest.mark.parametrize("language, size, device, scripts", [
    ("en", PHONE, Pointer, True), ("ru", SMALL, Keyboard, True), ("he", DESKTOP, Pointer, True),
    ("en", DESKTOP, Keyboard, False),
])
def test_a_person_sets_up_two_factor_codes_and_signs_in_with_one(
        portal, person, browsers, language, size, device, scripts):
    anna = person(language=language)
    anna.submit("/", {"language": language}, action="/language")
    browser = browsers(language).start_over(size, scripts=scripts)
    browser.sign_in_as(anna)
    session = BrowserSession(browser, portal, device)
    page = session.open("/account/two-factor", StatePage).go(f"main a[href='{SET_UP}']", SetUpPage)
    address = scanned(browser)
    assert address.startswith(f"otpauth://totp/Polyclinic:{anna.login}?secret=")
    key = pyotp.parse_uri(address).secret
    assert key == page.text("code.secret").replace(" ", "")
    page.fill({"code": earlier_code(key), "current_password": PASSWORD})
    sheet = page.go("main form.form > .actions .button:not([name])", SheetPage)
    assert len(sheet.text("#codes").split("\n")) == 10
    sheet.go("main .actions a.button", StatePage).sign_out()
    code = session.open("/login", SignInPage).enter(anna.login, CodePage)
    code = code.fill({"code": "12"}).go("main form > .actions .button", WrongCodePage)
    steady()
    code.fill({"code": pyotp.TOTP(key).now(), "trust": True}).go(
        "main form > .actions .button", DashboardPage)
    session.open("/account/sessions", SessionsPage)
    trusted = session.driver.get_cookie("__Host-browser")
    assert trusted["httpOnly"] and trusted["secure"]


def scanned(browser):
    """Returns the text of the QR code on a screenshot of the page."""
    picture = Image.open(io.BytesIO(browser.whole_page())).convert("L")
    [code] = zxingcpp.read_barcodes(picture)
    return code.text
