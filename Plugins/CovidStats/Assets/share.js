// Hands the picture and the link of a page to the device's own share sheet. Without it there are the link to
// copy and the picture to save.
(() => {
  'use strict';

  const button = document.querySelector('button[data-share]');
  if (!button || !navigator.share) return;

  const picture = async () => {
    const answer = await fetch(button.getAttribute('data-share'));
    if (!answer.ok) return [];
    const file = new File([await answer.blob()], 'covid-19.png', { type: 'image/png' });
    return navigator.canShare && navigator.canShare({ files: [file] }) ? [file] : [];
  };

  // Fetched before: a share sheet opens only right after somebody has pressed something.
  const files = picture().catch(() => []);

  button.hidden = false;
  button.addEventListener('click', async () => {
    const shared = {
      text: button.getAttribute('data-text'),
      url: new URL(button.getAttribute('data-link'), location.href).href,
    };
    const found = await files;
    if (found.length > 0) shared.files = found;
    try {
      await navigator.share(shared);
    } catch (error) {
      // Closed without sharing, which is no mistake.
      if (error.name !== 'AbortError') throw error;
    }
  });
})();
