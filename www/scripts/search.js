// Searches as one types: asks the form's own address and takes #results from the answer.
(() => {
  'use strict';

  const pause = 150;

  const watch = (form) => {
    let timer = 0;
    let asked = 0;
    let running = null;
    let shown = address();

    function address() {
      const words = new URLSearchParams();
      for (const [name, value] of new FormData(form)) {
        if (typeof value === 'string' && value.trim() !== '') words.append(name, value);
      }
      const query = words.toString();
      return form.action.split(/[?#]/)[0] + (query ? `?${query}` : '');
    }

    // The status line stays the same element: a screen reader announces only what changes in it.
    const show = (found) => {
      const results = document.getElementById('results');
      const status = results.querySelector('[role="status"]');
      const fresh = found.querySelector('[role="status"]');
      if (!status || !fresh || status.parentNode !== results || fresh.parentNode !== found) {
        results.replaceWith(document.adoptNode(found));
        return;
      }
      Array.from(results.childNodes).forEach((node) => {
        if (node !== status) node.remove();
      });
      let passed = false;
      Array.from(found.childNodes).forEach((node) => {
        if (node === fresh) {
          passed = true;
        } else {
          results.insertBefore(document.adoptNode(node), passed ? null : status);
        }
      });
      status.textContent = fresh.textContent;
    };

    const ask = async () => {
      const url = address();
      const mine = (asked += 1);
      if (running) running.abort();
      if (url === shown) return;
      running = new AbortController();
      try {
        const answer = await fetch(url, {
          credentials: 'same-origin',
          headers: { Accept: 'text/html' },
          signal: running.signal,
        });
        const text = await answer.text();
        if (mine !== asked) return;
        const page = new DOMParser().parseFromString(text, 'text/html');
        const found = page.getElementById('results');
        if (!answer.ok || answer.redirected || !found) throw new Error('no results');
        show(found);
        // The button of the filters tells how many are set.
        const button = form.querySelector('summary');
        const fresh = page.querySelector('form[data-live] summary');
        if (button && fresh) button.textContent = fresh.textContent;
        shown = url;
        history.replaceState(history.state, '', url);
      } catch (error) {
        if (mine === asked && error.name !== 'AbortError') form.submit();
      }
    };

    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(ask, pause);
    };

    form.addEventListener('input', (event) => {
      if (!event.isComposing) soon();
    });
    form.addEventListener('compositionend', soon);
    form.addEventListener('submit', () => {
      clearTimeout(timer);
      asked += 1;
      if (running) running.abort();
    });
  };

  if (document.getElementById('results')) {
    document.querySelectorAll('form[data-live]').forEach(watch);
  }
})();
