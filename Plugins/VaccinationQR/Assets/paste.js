// Takes a picture from the clipboard for the field of a file: screenshots are pasted more often than saved.
(() => {
  'use strict';

  const place = document.querySelector('[data-paste]');
  const field = place && place.querySelector('input[type=file]');
  if (!field || typeof DataTransfer !== 'function') return;

  const hint = place.querySelector('[data-paste-hint]');
  if (hint) hint.hidden = false;

  document.addEventListener('paste', (event) => {
    const files = event.clipboardData ? [...event.clipboardData.files] : [];
    const file = files.find((one) => /^(image\/|application\/pdf)/.test(one.type));
    if (!file) return;
    const taken = new DataTransfer();
    taken.items.add(file);
    field.files = taken.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    field.focus();
    event.preventDefault();
  });
})();
