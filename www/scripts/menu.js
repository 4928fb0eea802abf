// Closes an open menu by Escape, by a click beside it, or when the focus leaves it.
(() => {
  'use strict';

  document.querySelectorAll('header.site details').forEach((menu) => {
    const close = (event) => {
      if (!event.target.closest || event.target.closest('details') !== menu) menu.open = false;
    };
    document.addEventListener('click', close);
    document.addEventListener('focusin', close);
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      menu.open = false;
      menu.querySelector('summary').focus();
    });
  });
})();
