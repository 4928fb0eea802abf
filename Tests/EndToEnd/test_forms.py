"""Forms with invalid, hostile, repeated and concurrent input."""

from concurrent.futures import ThreadPoolExecutor
from html import escape

import pytest

from visitor import registration
from conftest import unique

HOSTILE = ["<script>alert(1)</script>", "'; DROP TABLE contacts; --", "\u202eevil\u202c", "a\u0000b",
           "{{7*7}}", "%00%0d%0aX: y", "\U0001f469\u200d\u2695\ufe0f"]


def test_an_empty_registration_names_every_required_field(visitor):
    names = ["email", "name", "surname", "password", "consent"]
    answer = visitor().submit("/register", {name: "" for name in names if name != "consent"})
    assert answer.status == 422
    for name in names:
        assert f'id="{name}-error"' in answer.text and f'href="#{name}"' in answer.text
    assert 'role="alert"' in answer.text and 'aria-invalid="true"' in answer.text


@pytest.mark.parametrize(
    "field, value",
    [
        ("login", "a@b"), ("login", "x" * 65), ("email", "nobody"), ("name", "<b>"),
        ("birth_date", "2023-02-29"), ("birth_date", "29.02.2024"), ("password", "short"),
        ("password", "aaaaaaaaaaaaaaaaaaaa"), ("house_number", "///"), ("country", "XX"),
        ("street", "x" * 201), ("role", "administrator"), ("sex", "'; DROP"), ("city", "a\u0000b"),
    ],
)
def test_an_invalid_field_gets_an_error_and_the_other_fields_are_kept(visitor, field, value):
    fields = registration(unique("wrong"))
    fields[field] = value
    if field == "password":
        fields["password_confirm"] = value
    answer = visitor().submit("/register", fields)
    assert answer.status == 422
    assert f'id="{field}-error"' in answer.text
    kept = dict(answer.fields())
    assert kept["surname"] == "Petrova" and not kept["password"]


def test_differing_passwords_get_a_field_error(visitor):
    fields = registration(unique("wrong"), password_confirm="another than the first one")
    answer = visitor().submit("/register", fields)
    assert answer.status == 422 and 'id="password_confirm-error"' in answer.text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_refused_or_shown_harmlessly(person, text):
    user = person()
    answer = user.submit("/contacts/new", {"name": text, "notes": text, "method_type": ["other"],
                                               "method_value": [text]})
    assert answer.status in (303, 422)
    shown = user.get(answer.location) if answer.status == 303 else answer
    assert "<script>alert" not in shown.text
    if answer.status == 303:
        assert escape(text, quote=False).replace("'", "&#39;") in shown.text.replace("&#x27;", "&#39;")
    assert user.get("/contacts").status == 200


def test_fifty_contact_methods_are_accepted_and_fifty_one_are_refused(person):
    user = person()

    def fields(count):
        return {"name": "Many", "method_type": ["phone"] * count,
                "method_value": [f"+7 000 {index:03}" for index in range(count)]}

    assert user.submit("/contacts/new", fields(50)).status == 303
    answer = user.submit("/contacts/new", fields(51))
    assert answer.status == 422 and 'id="method-error"' in answer.text


def test_an_error_in_a_repeated_row_names_its_row(person):
    answer = person().submit("/contacts/new", {
        "name": "Vera", "method_type": ["phone", "phone"], "method_value": ["1", "x" * 201]})
    assert answer.status == 422 and 'id="method_value-2-error"' in answer.text


def test_a_form_sent_twice_at_once_creates_one_record(person):
    user = person()
    fields = user.filled("/contacts/new", {"name": "Twice Sent"})
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: user.post("/contacts/new", fields), range(2)))
    assert [answer.status for answer in answers] == [303, 303]
    assert answers[0].location == answers[1].location
    assert user.get("/contacts").text.count("Twice Sent") == 1


def test_a_registration_sent_twice_keeps_the_user_signed_in(visitor):
    user = visitor()
    fields = user.filled("/register", registration(unique("twice")))
    first = user.post("/register", fields)
    assert first.status == 303
    again = visitor()
    again.cookies = {"__Host-visitor": user.cookies.get("__Host-visitor", "")}
    assert user.post("/register", fields).status in (303, 403)
    assert user.get("/account").status == 200


def test_an_edit_of_a_contact_changed_meanwhile_gets_409_with_both_versions(person):
    user = person()
    contact = user.add_contact("Vera Before")
    first = user.filled(f"{contact}/edit", {"name": "Vera First"})
    second = user.filled(f"{contact}/edit", {"name": "Vera Second"})
    assert user.post(f"{contact}/edit", first).status == 303
    answer = user.post(f"{contact}/edit", second)
    assert answer.status == 409
    assert "Vera First" in answer.text and "Vera Second" in answer.text
    assert user.post(f"{contact}/edit", answer.fields()).status == 303
    assert "Vera Second" in user.get(contact).text


def test_of_eight_simultaneous_edits_one_is_saved_and_seven_get_409(person):
    user = person()
    contact = user.add_contact("Vera")
    edits = [user.filled(f"{contact}/edit", {"name": f"Vera {index}"}) for index in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda fields: user.post(f"{contact}/edit", fields), edits))
    assert sorted(answer.status for answer in answers) == [303] + [409] * 7


def test_cancel_asks_for_confirmation_only_if_something_was_typed(person):
    user = person()
    untouched = user.submit("/contacts/new", {"cancel": "yes"})
    assert untouched.status == 303 and untouched.location == "/contacts"
    asked = user.submit("/contacts/new", {"name": "Half Typed", "cancel": "yes"})
    assert asked.status == 200
    kept = asked.fields()
    back = user.post("/contacts/new", kept + [("discard", "no")])
    assert dict(back.fields())["name"] == "Half Typed"
    gone = user.post("/contacts/new", kept + [("discard", "yes")])
    assert gone.status == 303 and "Half Typed" not in user.get("/contacts").text


def test_the_next_parameter_redirects_only_within_the_portal(person, visitor):
    user = person()
    for next in ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]:
        answer = visitor().sign_in(user.login, next=next)
        assert answer.status == 303 and answer.location == "/"
