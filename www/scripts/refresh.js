// Asks for the page again every so many seconds and changes in place what differs: the focus stays where it
// is, and a screen reader announces what is new in a status. A form with typed text stays as it is, and so does
// what another script keeps. It goes on when an answer fails, so that a display outlives a restart of the portal.
(() => {
  'use strict';

  const pause = 1000 * document.currentScript.dataset.refresh;
  let timer;

  const copyAttributes = (from, to) => {
    Array.from(to.attributes).forEach(({ name }) => {
      // A menu that somebody has opened stays open.
      if (name !== 'open' && !from.hasAttribute(name)) to.removeAttribute(name);
    });
    Array.from(from.attributes).forEach(({ name, value }) => {
      if (to.getAttribute(name) !== value) to.setAttribute(name, value);
    });
  };

  const isTyped = (field) => field.type !== 'hidden' && ('defaultValue' in field)
    && (field.value !== field.defaultValue || Boolean(field.checked) !== Boolean(field.defaultChecked));
  const isInUse = (node) => node.nodeName === 'FORM' && Array.from(node.elements).some(isTyped);
  const isKept = (node) => node.nodeType === Node.ELEMENT_NODE && node.hasAttribute('data-kept');
  const children = (node) => Array.from(node.childNodes).filter((child) => !isKept(child));

  const update = (old, fresh) => {
    if (old.isEqualNode(fresh) || isInUse(old)) return;
    if (old.nodeName !== fresh.nodeName) {
      old.replaceWith(document.adoptNode(fresh));
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      old.nodeValue = fresh.nodeValue;
      return;
    }
    copyAttributes(fresh, old);
    const [before, after] = [children(old), children(fresh)];
    after.forEach((node, place) => {
      if (place < before.length) update(before[place], node);
      else old.append(document.adoptNode(node));
    });
    before.slice(after.length).filter((node) => !isInUse(node)).forEach((node) => node.remove());
  };

  // Resolves to false when the page is not to be asked for again.
  const ask = async () => {
    const answer = await fetch(location.href, {
      credentials: 'same-origin',
      headers: { Accept: 'text/html' },
    });
    if (answer.redirected || [403, 404].includes(answer.status)) {
      location.reload();
      return false;
    }
    if (!answer.ok) return true;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    document.title = page.title;
    update(document.body, page.body);
    return page.querySelector('script[data-refresh]') !== null;
  };

  // A page with a call refreshes in a background tab too, so that the patient hears the call.
  const isWanted = () => document.visibilityState === 'visible' || document.getElementById('call');

  const turn = async () => {
    clearTimeout(timer);
    if (!isWanted()) return;
    let goesOn = true;
    try {
      goesOn = await ask();
    } catch (error) {
      // The portal cannot be reached: what is shown stays, with the time at which it was true.
    }
    clearTimeout(timer);
    if (goesOn) timer = setTimeout(turn, pause);
    else document.removeEventListener('visibilitychange', turn);
  };

  document.addEventListener('visibilitychange', turn);
  timer = setTimeout(turn, pause);
})();
