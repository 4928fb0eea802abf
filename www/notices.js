// Asks the portal now and then whether something new has come, counts it in the frame, and has the
// browser say so where its owner has allowed that. A page that nobody sees asks only if the browser
// may speak. It asks less and less often while nothing happens, and stops when the session is over.
(() => {
  'use strict';

  const bell = document.querySelector('.bell');
  if (!bell || !window.fetch) return;

  const TOLD = 'polyclinic-told';
  const [SHORTEST, LONGEST] = [30000, 600000];
  let pause = SHORTEST;
  let timer;
  let last = bell.querySelector('.number span') ? bell.querySelector('.number span').textContent : '';

  const maySpeak = () => 'Notification' in window && Notification.permission === 'granted';
  const isWanted = () => document.visibilityState === 'visible' || maySpeak();

  const count = (answer) => {
    const old = bell.querySelector('.number');
    if (old) old.remove();
    if (!answer.unread) return;
    const number = document.createElement('span');
    const [seen, heard] = [document.createElement('span'), document.createElement('span')];
    number.className = 'number';
    seen.setAttribute('aria-hidden', 'true');
    seen.textContent = answer.unread;
    heard.className = 'hidden-text';
    heard.textContent = answer.label;
    number.append(seen, heard);
    bell.append(number);
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
      count(answer);
      speak(answer);
    } catch (error) {
      pause = Math.min(pause * 2, LONGEST);
    }
    timer = setTimeout(turn, pause);
  };

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    pause = SHORTEST;
    turn();
  });
  timer = setTimeout(turn, pause);
})();
