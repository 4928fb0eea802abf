// Suggests cities that begin with what is typed. Any other name is as good.
(() => {
  'use strict';

  const most = 12;
  const column = { ru: 2, he: 3 }[document.documentElement.lang.slice(0, 2)] || 1;
  const marks = /[\u0300-\u036f\u0591-\u05c7]/g;
  const folded = (text) => text.normalize('NFD').replace(marks, '').toLowerCase();

  // One city a line, the largest first: CC|English|Русский|עברית. A line after # is a remark.
  const parse = (text) =>
    text
      .split('\n')
      .filter((line) => line !== '' && line[0] !== '#')
      .map((line) => line.split('|'))
      .map((parts) => ({ country: parts[0], name: (parts[column] || parts[1] || '').trim() }))
      .filter((city) => city.name !== '')
      .map((city) => Object.assign(city, { key: folded(city.name) }));

  const serve = (input) => {
    const list = document.getElementById(input.getAttribute('list'));
    if (!list) return;
    let cities = [];

    const suggest = () => {
      const typed = folded(input.value.trim());
      list.textContent = '';
      if (typed === '') return;
      const select = input.form && input.form.elements.country;
      const country = select ? select.value : '';
      const found = cities.filter(
        (city) => city.key.startsWith(typed) && (country === '' || city.country === country)
      );
      const names = new Set(found.map((city) => city.name));
      Array.from(names).slice(0, most).forEach((name) => {
        const option = document.createElement('option');
        option.value = name;
        list.appendChild(option);
      });
    };

    const load = async () => {
      try {
        const answer = await fetch(input.getAttribute('data-cities'));
        if (!answer.ok) return;
        cities = parse(await answer.text());
        suggest();
      } catch (error) {
        // No suggestions then: the field takes any name. The next focus asks again.
        input.addEventListener('focus', load, { once: true });
      }
    };

    input.addEventListener('focus', load, { once: true });
    input.addEventListener('input', suggest);
    if (document.activeElement === input) input.dispatchEvent(new Event('focus'));
  };

  document.querySelectorAll('input[data-cities][list]').forEach(serve);
})();
