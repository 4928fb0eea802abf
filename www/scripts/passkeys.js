// Asks the browser for passkeys, and sends its answers with the forms of the page.
// The forms are hidden without it: password and codes work everywhere.
(() => {
  'use strict';

  const Credential = window.PublicKeyCredential;

  // Browsers speak in bytes, and the portal in base64url.
  const bytes = (text) => {
    const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(raw, (character) => character.charCodeAt(0));
  };
  const text = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
      .replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const listed = (list) => list.map((one) => Object.assign({}, one, { id: bytes(one.id) }));

  // The JSON form of a credential (WebAuthn Level 3, 5.1.8). Few browsers have its toJSON yet.
  const written = (credential) => {
    const answer = credential.response;
    const response = { clientDataJSON: text(answer.clientDataJSON) };
    ['attestationObject', 'authenticatorData', 'signature', 'userHandle'].forEach((name) => {
      if (answer[name]) response[name] = text(answer[name]);
    });
    if (answer.getTransports) response.transports = answer.getTransports();
    return JSON.stringify({ id: text(credential.rawId), type: credential.type, response });
  };

  const send = (form, credential) => {
    form.elements.namedItem('credential').value = written(credential);
    form.submit();
  };

  // Errors say no more than that the person or the device has refused.
  const answering = (form, ask) => {
    const failure = form.querySelector('[data-failure]');
    const button = form.querySelector('button');
    form.hidden = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      failure.hidden = true;
      button.disabled = true;
      try {
        send(form, await ask());
      } catch (error) {
        failure.hidden = false;
        button.disabled = false;
      }
    });
  };

  const create = (form) => {
    const options = JSON.parse(form.getAttribute('data-options'));
    answering(form, () => navigator.credentials.create({
      publicKey: Object.assign({}, options, {
        challenge: bytes(options.challenge),
        user: Object.assign({}, options.user, { id: bytes(options.user.id) }),
        excludeCredentials: listed(options.excludeCredentials),
      }),
    }));
    document.querySelectorAll('[data-no-passkeys]').forEach((place) => {
      place.hidden = true;
    });
  };

  const signIn = (form) => {
    let waiting = null;

    const options = async () => {
      const answer = await fetch(form.getAttribute('data-options'), { credentials: 'same-origin' });
      if (!answer.ok) throw new Error('no challenge');
      const sent = await answer.json();
      return Object.assign({}, sent, {
        challenge: bytes(sent.challenge), allowCredentials: listed(sent.allowCredentials),
      });
    };

    // Offers passkeys among the suggestions of the login field. A challenge ends after five minutes,
    // so that a page which stays open asks anew.
    const offer = async () => {
      const controller = new AbortController();
      if (waiting) waiting.abort();
      waiting = controller;
      try {
        const publicKey = await options();
        if (controller.signal.aborted) return;
        const found = await navigator.credentials.get({
          mediation: 'conditional', publicKey, signal: controller.signal,
        });
        if (found) send(form, found);
      } catch (error) {
        // Aborted, or refused: the button and the password remain.
      }
    };

    answering(form, async () => {
      if (waiting) waiting.abort();
      waiting = null;
      return navigator.credentials.get({ publicKey: await options() });
    });
    const canOffer = Credential.isConditionalMediationAvailable;
    if (!canOffer || !document.querySelector('input[autocomplete~="webauthn"]')) return;
    canOffer.call(Credential).then((isThere) => {
      if (!isThere) return;
      offer();
      setInterval(() => {
        if (waiting) offer();
      }, 4 * 60 * 1000);
    });
  };

  // Tells the browser about passkeys that the portal no longer has, so that it does not offer them.
  const forget = (form) => {
    const id = form.getAttribute('data-unknown');
    if (!id || !Credential.signalUnknownCredential) return;
    Credential.signalUnknownCredential({
      rpId: form.getAttribute('data-host'), credentialId: id,
    }).catch(() => {});
  };

  const remember = (place) => {
    if (!Credential.signalAllAcceptedCredentials) return;
    Credential.signalAllAcceptedCredentials(JSON.parse(place.getAttribute('data-passkeys')))
      .catch(() => {});
  };

  if (!Credential || !navigator.credentials) return;
  document.querySelectorAll('form[data-passkey="create"]').forEach(create);
  document.querySelectorAll('form[data-passkey="sign-in"]').forEach((form) => {
    signIn(form);
    forget(form);
  });
  document.querySelectorAll('[data-passkeys]').forEach(remember);
})();
