// Copies what is shown once, such as a one-time link. Without it the text is selected by hand.
(() => {
  'use strict';

  document.querySelectorAll('button[data-copy]').forEach((button) => {
    const source = document.getElementById(button.getAttribute('data-copy'));
    if (!source) return;

    const select = () => {
      const range = document.createRange();
      range.selectNodeContents(source);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    };

    const copy = async () => {
      if (navigator.clipboard) {
        await navigator.clipboard.writeText(source.textContent.trim());
      } else {
        select();
        if (!document.execCommand('copy')) throw new Error('not copied');
      }
    };

    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await copy();
        button.textContent = button.getAttribute('data-copied');
      } catch (error) {
        select();
      }
    });
  });
})();
