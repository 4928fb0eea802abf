// Shows the button that prints the page, where there is a script to press it.
(() => {
  'use strict';

  document.querySelectorAll('[data-print]').forEach((place) => {
    place.hidden = false;
    place.querySelector('button').addEventListener('click', () => window.print());
  });
})();
