// Announces a call on a waiting list: when the refresh changes the number in #call, the page flashes, plays a
// sound if somebody has turned it on, and shows a browser notification if the browser allows it.
(() => {
  'use strict';

  const Sound = window.AudioContext || window.webkitAudioContext;
  const place = () => document.getElementById('call');
  const button = () => document.querySelector('[data-sound]');
  let last = place() ? place().dataset.call : '';
  let sound = null;

  // Two notes, as of a door bell.
  const play = () => {
    if (!sound) return;
    [[660, 0], [528, 0.45]].forEach(([pitch, start]) => {
      const [tone, volume] = [sound.createOscillator(), sound.createGain()];
      const from = sound.currentTime + start;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.4, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.8);
      tone.connect(volume);
      volume.connect(sound.destination);
      tone.start(from);
      tone.stop(from + 0.8);
    });
  };

  const tell = (call) => {
    call.classList.add('flash');
    play();
    const { title, body } = call.dataset;
    if (!title || !('Notification' in window) || Notification.permission !== 'granted') return;
    new Notification(title, { body, tag: 'polyclinic-told' });
  };

  const look = () => {
    const [call, turnOn] = [place(), button()];
    if (turnOn && Sound && turnOn.hidden !== Boolean(sound)) turnOn.hidden = Boolean(sound);
    const number = call ? call.dataset.call : '';
    if (number === last) return;
    last = number;
    if (number) tell(call);
  };

  document.addEventListener('click', (event) => {
    if (sound || !Sound || event.target !== button()) return;
    sound = new Sound();
    play();
    look();
  });
  new MutationObserver(look).observe(document.body, {
    attributes: true, attributeFilter: ['data-call', 'hidden'], childList: true, subtree: true,
  });
  look();
})();
