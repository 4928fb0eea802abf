// Shows the values at a point of a chart by touch, by mouse and by arrow keys.
(() => {
  'use strict';

  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -7, PageUp: 7 };

  const serve = (chart) => {
    const svg = chart.querySelector('svg');
    const readout = chart.querySelector('.readout');
    const hits = Array.from(svg.querySelectorAll('.hit'));
    if (!readout || hits.length === 0) return;
    // The browser's own box with a title would cover the chart beside the readout.
    const texts = hits.map((hit) => hit.removeChild(hit.firstElementChild).textContent);
    const last = hits.length - 1;
    let current = last;

    const tell = () => {
      svg.setAttribute('aria-valuenow', current + 1);
      svg.setAttribute('aria-valuetext', readout.textContent);
    };

    const show = (index, isSpoken) => {
      hits[current].classList.remove('on');
      current = Math.max(0, Math.min(last, index));
      hits[current].classList.add('on');
      // A key press is spoken by the slider itself.
      readout.setAttribute('aria-live', isSpoken ? 'polite' : 'off');
      if (readout.textContent !== texts[current]) readout.textContent = texts[current];
      tell();
    };

    const distance = (hit, x) => {
      const box = hit.getBoundingClientRect();
      return Math.max(box.left - x, x - box.right, 0);
    };

    const point = (event) => {
      const ways = hits.map((hit) => distance(hit, event.clientX));
      show(ways.indexOf(Math.min(...ways)), true);
    };

    svg.setAttribute('role', 'slider');
    svg.setAttribute('tabindex', '0');
    svg.setAttribute('aria-valuemin', '1');
    svg.setAttribute('aria-valuemax', hits.length);
    tell();
    svg.addEventListener('pointerdown', point);
    svg.addEventListener('pointermove', point);
    svg.addEventListener('keydown', (event) => {
      const ends = { Home: 0, End: last };
      const next = event.key in ends ? ends[event.key] : current + steps[event.key];
      if (Number.isNaN(next) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      show(next, false);
    });
  };

  document.querySelectorAll('.chart').forEach(serve);
})();
