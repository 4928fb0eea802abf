// Adds and removes repeated rows of a form in place. Without it the same buttons ask the server.
(() => {
  'use strict';

  const numbered = ['id', 'for', 'value', 'aria-label', 'aria-labelledby', 'aria-describedby'];

  const serve = (group) => {
    const template = group.querySelector('template');
    const add = group.querySelector('button[name="add"]');
    if (!template || !add) return;
    const limit = Number(group.getAttribute('data-limit')) || Infinity;
    const full = group.querySelector('.rows-limit');
    const all = () => Array.from(group.querySelectorAll('.row'));
    const first = (row) => row.querySelector('select, input:not([type="hidden"]), textarea');

    // Ids, labels and the remove buttons' values bear the row's number, from 1:
    // method_value-2, method_value-2-error, "Remove 2", method-2.
    const renumber = () => {
      const rows = all();
      rows.forEach((row, index) => {
        const number = index + 1;
        row.querySelectorAll('*').forEach((element) => {
          numbered.forEach((name) => {
            const value = element.getAttribute(name);
            if (value === null || (name === 'value' && element.name !== 'remove')) return;
            element.setAttribute(name, value.replace(/(\d+|\{row\})(?=-[a-z]+\b|\s|$)/g, number));
          });
          if (element.hasAttribute('data-row-number')) element.textContent = number;
        });
      });
      add.disabled = rows.length >= limit;
      if (full) full.hidden = rows.length < limit;
    };

    const removed = (row) => {
      const rows = all();
      const at = rows.indexOf(row);
      const next = rows[at + 1] || rows[at - 1];
      row.remove();
      renumber();
      (next ? first(next) : add).focus();
    };

    group.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      if (button === add) {
        event.preventDefault();
        const rows = all();
        if (rows.length >= limit) return;
        const fresh = document.importNode(template.content, true);
        const last = rows[rows.length - 1];
        const row = fresh.querySelector('.row');
        template.parentNode.insertBefore(fresh, last ? last.nextSibling : template);
        renumber();
        first(row).focus();
      } else if (button.name === 'remove') {
        event.preventDefault();
        removed(button.closest('.row'));
      }
    });
    renumber();
  };

  document.querySelectorAll('.rows-group').forEach(serve);
})();
