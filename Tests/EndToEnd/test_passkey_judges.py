"""The portal's answers to passkeys, beside those of another relying party: Yubico's `fido2`.

The device is `soft-webauthn`, which knows nothing of the portal.
"""

import json
import re
from html import unescape

import fido2.features
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.server import Fido2Server
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject, PublicKeyCredentialCreationOptions, PublicKeyCredentialRequestOptions)
from soft_webauthn import SoftWebauthnDevice

from visitor import Visitor

fido2.features.webauthn_json_mapping.enabled = True

NEW, CREATE = "/account/passkeys/new", "/account/passkeys/create"
OPTIONS, SIGN_IN = "/login/passkey/options", "/login/passkey"
# The bits of the authenticator data (WebAuthn Level 3, 6.1).
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Device(SoftWebauthnDevice):
    """A device with one passkey, whose responses a test can make wrong."""

    def __init__(self, origin, flags=PRESENT | VERIFIED, host=None, challenge=None, signer=None, kind=None):
        super().__init__()
        self.origin, self.flags, self.host = origin, flags, host
        self.challenge, self.signer, self.kind = challenge, signer, kind

    def client_data(self, answer):
        """Returns the client data of a response with what the test changes."""
        data = json.loads(answer["response"]["clientDataJSON"])
        data["challenge"] = self.challenge or data["challenge"]
        data["type"] = self.kind or data["type"]
        return json.dumps(data).encode()

    def authenticator_data(self, data, more=0):
        """Returns authenticator data with this device's flags, and the host that it signs for."""
        digest = sha256(self.host.encode()) if self.host else data[:32]
        return digest + bytes([self.flags | more]) + data[33:]

    def made(self, options):
        """Returns the response to the options for a new passkey, in the form of JSON."""
        answer = self.create({"publicKey": {
            **options, "challenge": websafe_decode(options["challenge"]),
            "user": {**options["user"], "id": websafe_decode(options["user"]["id"])}}}, self.origin)
        attestation = cbor.decode(answer["response"]["attestationObject"])
        attestation["authData"] = self.authenticator_data(attestation["authData"], ATTESTED)
        return self.written(
            clientDataJSON=self.client_data(answer), attestationObject=cbor.encode(attestation))

    def used(self, options):
        """Returns the response to the options of a sign-in, in the form of JSON."""
        challenge = websafe_decode(options["challenge"])
        answer = self.get({"publicKey": {**options, "challenge": challenge}}, self.origin)
        client_data = self.client_data(answer)
        data = self.authenticator_data(answer["response"]["authenticatorData"])
        key = self.signer or self.private_key
        return self.written(
            clientDataJSON=client_data, authenticatorData=data, userHandle=self.user_handle,
            signature=key.sign(data + sha256(client_data), ec.ECDSA(hashes.SHA256())))

    def written(self, **response):
        """Returns a response as the page's script sends it."""
        number = websafe_encode(self.credential_id)
        parts = {name: websafe_encode(value) for name, value in response.items()}
        return {"id": number, "rawId": number, "type": "public-key", "response": parts}


class Judge:
    """Another relying party for the portal's origin, which answers as the portal should."""

    def __init__(self, origin):
        party = {"id": "localhost", "name": "Judge"}
        self.server = Fido2Server(party, verify_origin=lambda given: given == origin)

    def accepts(self, options, answer, credential=None):
        """True if the response fits the options, for a new passkey or for one that is known."""
        state = {"challenge": options["challenge"], "user_verification": "required"}
        try:
            if credential is None:
                self.server.register_complete(state, answer)
            else:
                self.server.authenticate_complete(state, [credential], answer)
        except ValueError:
            return False
        return True


def creation_options(page):
    """Returns the options on the page that makes a passkey."""
    return json.loads(unescape(re.search(r'data-passkey="create" data-options="([^"]*)"', page.text)[1]))


def add(visitor, device):
    """Makes a passkey on the page for it. Returns the options, the response and the portal's answer."""
    page = visitor.get(NEW)
    options = creation_options(page)
    made = device.made(options)
    fields = dict(page.fields(CREATE)) | {"name": "Judge", "credential": json.dumps(made)}
    return options, made, visitor.post(CREATE, fields)


def sign_in(portal, device):
    """Signs a new browser in. Returns the options, the response and the portal's answer."""
    browser = Visitor(portal)
    page = browser.get("/login")
    options = json.loads(browser.get(OPTIONS).body)
    used = device.used(options)
    fields = dict(page.fields(SIGN_IN)) | {"credential": json.dumps(used)}
    return options, used, browser.post(SIGN_IN, fields)


FOREIGN = ec.generate_private_key(ec.SECP256R1())
WRONG = {
    "a user who is not verified": {"flags": PRESENT},
    "nobody who is present": {"flags": VERIFIED},
    "another host": {"host": "example.org"},
    "a challenge of its own": {"challenge": websafe_encode(bytes(32))},
    "client data of another kind": {"kind": "payment.get"},
}


def test_the_options_are_those_of_the_standard_and_ask_for_a_verified_user(portal, person):
    sent = creation_options(person().get(NEW))
    options = PublicKeyCredentialCreationOptions.from_dict(sent)
    assert options.rp.id == "localhost" and options.attestation in (None, "none")
    assert len(options.challenge) >= 16 and 32 <= len(options.user.id) <= 64
    assert [known.alg for known in options.pub_key_cred_params][:1] == [-7]
    selection = options.authenticator_selection
    assert selection.user_verification == "required" and selection.resident_key == "required"
    # Read and written by the judge, nothing is lost that the portal has sent.
    assert set(sent) <= set(dict(options))
    browser = Visitor(portal)
    browser.get("/login")
    asked = PublicKeyCredentialRequestOptions.from_dict(json.loads(browser.get(OPTIONS).body))
    assert asked.rp_id == "localhost" and asked.user_verification == "required"
    assert not asked.allow_credentials, "the sign-in page names nobody's passkeys"


def test_a_passkey_that_the_judge_accepts_is_added_and_signs_in(portal, person):
    anna, judge, device = person(), Judge(portal.origin), Device(portal.origin)
    options, made, answer = add(anna, device)
    assert judge.accepts(options, made) and answer.status == 303, answer
    attestation = AttestationObject(websafe_decode(made["response"]["attestationObject"]))
    credential = attestation.auth_data.credential_data
    options, used, answer = sign_in(portal, device)
    assert judge.accepts(options, used, credential) and answer.status == 303, answer


@pytest.mark.parametrize("wrong", [*WRONG.values(), {"origin": "https://example.org"}], ids=[*WRONG, "another origin"])
def test_a_new_passkey_that_the_judge_refuses_is_refused(portal, person, wrong):
    anna, judge = person(), Judge(portal.origin)
    options, made, answer = add(anna, Device(**{"origin": portal.origin} | wrong))
    assert not judge.accepts(options, made)
    assert answer.status == 422, answer
    assert "Judge" not in anna.get("/account/passkeys").text


@pytest.mark.parametrize(
    "wrong", [*WRONG.values(), {"origin": "https://example.org"}, {"signer": FOREIGN}],
    ids=[*WRONG, "another origin", "another key"])
def test_a_sign_in_that_the_judge_refuses_is_refused(portal, person, wrong):
    judge, device = Judge(portal.origin), Device(portal.origin)
    _, made, answer = add(person(), device)
    assert answer.status == 303, answer
    attestation = AttestationObject(websafe_decode(made["response"]["attestationObject"]))
    for name, value in wrong.items():
        setattr(device, name, value)
    options, used, answer = sign_in(portal, device)
    assert not judge.accepts(options, used, attestation.auth_data.credential_data)
    assert answer.status == 422, answer
