// Asks for the position on a click, and only then; sends it in the page's form, and keeps it nowhere.
(() => {
  'use strict';

  const patience = 20000;

  const serve = (part) => {
    const button = part.querySelector('button');
    const status = part.querySelector('[role="status"]');
    const { form } = document.querySelector('main [name="lat"]') || {};
    if (!button || !status || !form || !navigator.geolocation) return;
    part.hidden = false;

    const say = (what) => {
      status.textContent = status.getAttribute(`data-${what}`);
    };

    const send = (position) => {
      const { latitude, longitude } = position.coords;
      form.elements.lat.value = latitude.toFixed(5);
      form.elements.lon.value = longitude.toFixed(5);
      form.submit();
    };

    const fail = (error) => {
      button.disabled = false;
      say(error.code === error.PERMISSION_DENIED ? 'denied' : 'failed');
    };

    button.addEventListener('click', () => {
      button.disabled = true;
      say('waiting');
      navigator.geolocation.getCurrentPosition(send, fail, { timeout: patience });
    });
  };

  document.querySelectorAll('[data-position]').forEach(serve);
})();
