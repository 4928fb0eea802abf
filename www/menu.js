// Closes an open menu by Escape, by a click beside it, or when the focus leaves it; shows the tab of
// the page in hand where the row of tabs is longer than the screen.
(() => {
  'use strict';

  const row = document.querySelector('.modules ul');
  const tab = row && row.querySelector('[aria-current]');
  if (tab && row.scrollWidth > row.clientWidth) {
    // Where it stands, not where the style sheet holds it.
    tab.parentElement.style.position = 'static';
    const [here, there] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
    tab.parentElement.style.position = '';
    row.scrollLeft += here.left + here.width / 2 - there.left - there.width / 2;
  }

  document.querySelectorAll('details.account').forEach((menu) => {
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
