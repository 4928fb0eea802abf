// Counts what is new in the frame, and has the browser say so where its owner has allowed that. It asks
// rarely while nothing happens, and every 15 seconds while the person waits for a doctor.
(() => {
  'use strict';

  const bell = document.querySelector('.bell');
  if (!bell || !window.fetch) return;

  const [TOLD, WAITS] = ['polyclinic-told', 'polyclinic-waits'];
  const [WAITING, SHORTEST, LONGEST] = [15000, 30000, 600000];
  const plainTitle = document.title;
  let banner = null;
  let pause = SHORTEST;
  let timer;
  let last = bell.querySelector('.number span') ? bell.querySelector('.number span').textContent : '';

  const maySpeak = () => 'Notification' in window && Notification.permission === 'granted';
  // All pages of one browser know it; a page with the person's place knows it before it asks.
  const waits = () => localStorage.getItem(WAITS) === 'yes';
  const isWanted = () => document.visibilityState === 'visible' || maySpeak() || waits();

  const remember = (isWaiting) => {
    if (isWaiting) localStorage.setItem(WAITS, 'yes');
    else localStorage.removeItem(WAITS);
  };

  const element = (name, style, text) => {
    const made = document.createElement(name);
    made.className = style;
    made.textContent = text;
    return made;
  };

  const count = (answer) => {
    const old = bell.querySelector('.number');
    if (old) old.remove();
    if (!answer.unread) return;
    const [number, seen] = [element('span', 'number', ''), element('span', '', answer.unread)];
    seen.setAttribute('aria-hidden', 'true');
    number.append(seen, element('span', 'hidden-text', answer.label));
    bell.append(number);
  };

  // A page with a card of the call needs no banner.
  const show = (turn) => {
    const main = document.getElementById('main');
    const isShown = document.querySelector('.turn:not(.banner)') !== null;
    if (banner && (!turn || isShown)) {
      banner.remove();
      banner = null;
      document.title = plainTitle;
    }
    if (!turn || isShown || !main) return;
    if (banner && banner.firstChild.textContent === turn.text) return;
    if (!banner) {
      banner = element('div', 'turn banner', '');
      banner.setAttribute('role', 'alert');
      banner.setAttribute('data-kept', '');
      main.insertBefore(banner, main.firstChild);
    }
    banner.textContent = '';
    const link = element('a', 'button secondary', turn.link);
    link.href = turn.page;
    banner.append(element('p', '', turn.text), link);
    document.title = turn.title;
  };

  // All pages of one browser tell of the same notice once; the one that is there at first is not new.
  const speak = (answer) => {
    const told = localStorage.getItem(TOLD);
    if (told === null || answer.latest > Number(told)) localStorage.setItem(TOLD, answer.latest);
    if (told === null || answer.latest <= Number(told) || !maySpeak()) return;
    const notice = new Notification(answer.title, { body: answer.hint, tag: TOLD });
    notice.onclick = () => {
      window.focus();
      location.assign('/notifications');
    };
  };

  const ask = async () => {
    const response = await fetch('/notifications/poll', { redirect: 'manual' });
    if (response.type === 'opaqueredirect' || response.status === 401) return null;
    if (!response.ok) throw new Error('not answered');
    return response.json();
  };

  const turn = async () => {
    clearTimeout(timer);
    if (!isWanted()) return;
    try {
      const answer = await ask();
      if (!answer) return;
      pause = answer.unread === last ? Math.min(pause * 1.5, LONGEST) : SHORTEST;
      last = answer.unread;
      remember(answer.waiting);
      count(answer);
      show(answer.turn);
      speak(answer);
    } catch (error) {
      pause = Math.min(pause * 2, LONGEST);
    }
    // Another page may have made this one ask again meanwhile.
    clearTimeout(timer);
    timer = setTimeout(turn, waits() ? WAITING : pause);
  };

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    pause = SHORTEST;
    turn();
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === WAITS && newValue) turn();
  });
  if (document.querySelector('[data-waiting]')) remember(true);
  // A new page does not know yet of a person whom the reception has added.
  timer = setTimeout(turn, waits() ? 0 : WAITING);
})();
