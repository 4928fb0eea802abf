// Shows the button that asks for permission to show notifications in the browser. Nothing else asks for it.
(() => {
  'use strict';

  const box = document.getElementById('browser-notices');
  if (!box || !('Notification' in window) || Notification.permission !== 'default') return;
  // Without the permission nothing is shown, and browsers whose pages cannot show anything throw.
  try {
    new Notification('');
  } catch (error) {
    return;
  }
  const button = box.querySelector('button');
  box.hidden = false;
  button.addEventListener('click', async () => {
    const permission = await Notification.requestPermission();
    if (permission === 'default') return;
    box.querySelector('p').textContent = button.getAttribute(`data-${permission}`);
    button.remove();
  });
})();
