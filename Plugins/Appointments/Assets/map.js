// Enlarges and moves a map in place. The wheel alone scrolls the page until the map is enlarged.
(() => {
  'use strict';

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
      svg.classList.toggle('zoomed', zoom > 1);
    };

    // Keeps the point at these shares of width and height.
    const enlarge = (factor, across = 0.5, down = 0.5) => {
      const before = zoom;
      zoom = Math.min(8, Math.max(1, zoom * factor));
      x += across * (width / before - width / zoom);
      y += down * (height / before - height / zoom);
      show();
    };

    const place = ({ clientX, clientY }) => {
      const box = svg.getBoundingClientRect();
      return [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    };

    frame.querySelectorAll('[data-zoom]').forEach((button) => {
      button.hidden = false;
      button.addEventListener('click', () => enlarge(button.dataset.zoom === 'in' ? 2 : 0.5));
    });
    svg.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && zoom === 1) return;
      event.preventDefault();
      enlarge(2 ** (-event.deltaY / 200), ...place(event));
    }, { passive: false });
    svg.addEventListener('pointerdown', (event) => {
      if (fingers.size === 0) moved = 0;
      fingers.set(event.pointerId, place(event));
    });
    svg.addEventListener('pointermove', (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const now = place(event);
      const other = ( Array.from(fingers).filter((pair) => pair[0] !== event.pointerId)[0] || [])[1];
      fingers.set(event.pointerId, now);
      moved += Math.hypot(now[0] - last[0], now[1] - last[1]);
      if (other) {
        const spread = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]) || 1;
        enlarge(spread(now) / spread(last), ...other);
      } else {
        x -= (now[0] - last[0]) * width / zoom;
        y -= (now[1] - last[1]) * height / zoom;
        show();
      }
    });
    ['pointerup', 'pointercancel', 'pointerleave'].forEach((name) => {
      svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
    });
    ['dragstart', 'click'].forEach((name) => {
      svg.addEventListener(name, (event) => {
        if (moved > 0.02) event.preventDefault();
      });
    });
  };

  document.querySelectorAll('[data-map]').forEach(serve);
})();
