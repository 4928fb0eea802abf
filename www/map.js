// Zooms and moves a map: its links load another part into the page, wheel and fingers enlarge the shown one.
(() => {
  'use strict';

  const most = 8;

  const serve = (frame) => {
    const svg = frame.querySelector('svg');
    const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
    const fixed = Array.from(svg.querySelectorAll('[data-fixed]'), (part) => [part, part.getAttribute('transform')]);
    const fingers = new Map();
    let [x, y, zoom, moved] = [0, 0, 1, 0];

    const show = () => {
      x = Math.min(width - width / zoom, Math.max(0, x));
      y = Math.min(height - height / zoom, Math.max(0, y));
      svg.setAttribute('viewBox', `${x} ${y} ${width / zoom} ${height / zoom}`);
      fixed.forEach(([part, place]) => part.setAttribute('transform', `${place} scale(${1 / zoom})`));
      frame.classList.toggle('zoomed', zoom > 1);
    };

    // Keeps the point below the given position of the window where it is.
    const enlarge = (factor, left, top) => {
      const box = svg.getBoundingClientRect();
      const [across, down] = [(left - box.left) / box.width, (top - box.top) / box.height];
      const before = zoom;
      zoom = Math.min(most, Math.max(1, zoom * factor));
      x += across * (width / before - width / zoom);
      y += down * (height / before - height / zoom);
      show();
    };

    const spread = () => {
      const [one, other] = Array.from(fingers.values());
      return [Math.hypot(one[0] - other[0], one[1] - other[1]), (one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
    };

    frame.querySelectorAll('[data-zoom]').forEach((button) => {
      button.hidden = false;
      button.addEventListener('click', () => {
        const box = svg.getBoundingClientRect();
        const factor = button.dataset.zoom === 'in' ? 2 : 0.5;
        enlarge(factor, box.left + box.width / 2, box.top + box.height / 2);
      });
    });
    svg.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && zoom === 1) return;
      event.preventDefault();
      enlarge(2 ** (-event.deltaY / 200), event.clientX, event.clientY);
    }, { passive: false });
    svg.addEventListener('pointerdown', (event) => {
      if (fingers.size === 0) moved = 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    svg.addEventListener('pointermove', (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const before = fingers.size === 2 ? spread() : null;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      const scale = width / zoom / svg.getBoundingClientRect().width;
      moved += Math.abs(event.clientX - last[0]) + Math.abs(event.clientY - last[1]);
      if (before) {
        const [length, left, top] = spread();
        enlarge(length / before[0], left, top);
      } else if (zoom > 1) {
        x -= (event.clientX - last[0]) * scale;
        y -= (event.clientY - last[1]) * scale;
        show();
      }
    });
    ['pointerup', 'pointercancel', 'pointerleave'].forEach((name) => {
      svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
    });
    svg.addEventListener('dragstart', (event) => event.preventDefault());
    svg.addEventListener('click', (event) => {
      if (moved > 8) event.preventDefault();
    });
  };

  document.querySelectorAll('[data-map]').forEach(serve);
})();
