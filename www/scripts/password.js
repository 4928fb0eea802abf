// Says how strong a password is while it is typed, shows it on demand, and repeats it by itself.
// A hint only: it is the server that judges.
(() => {
  'use strict';

  const shortest = 15;
  const rows = [
    '1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm',
    'йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю',
    'קראטוןםפ', 'שדגכעיחלךף', 'זסבהנמצתץ',
  ];

  const neighbours = (one, other) =>
    Math.abs(one.codePointAt(0) - other.codePointAt(0)) <= 1 ||
    rows.some((row) => {
      const here = row.indexOf(one);
      const there = row.indexOf(other);
      return here >= 0 && there >= 0 && Math.abs(here - there) === 1;
    });

  // How many characters cannot be told from what stands before them.
  const surprising = (text, known) => {
    let rest = text.slice(0, 128).toLowerCase();
    known.forEach((word) => {
      rest = rest.split(word).join(word[0]);
    });
    rest = rest.replace(/(.{2,}?)\1+/gu, '$1');
    const characters = Array.from(rest);
    return characters.filter((one, at) => at === 0 || !neighbours(characters[at - 1], one)).length;
  };

  const level = (text, known) => {
    if (Array.from(text).length < shortest) return 0;
    const count = surprising(text, known);
    if (count < 9) return 1;
    if (count < 14) return 2;
    return count < 18 ? 3 : 4;
  };

  const ownWords = (form, input) =>
    Array.from(form ? form.elements : [])
      .filter((field) => field !== input && /^(login|email|name|surname)$/.test(field.name))
      .reduce((words, field) => words.concat(field.value.toLowerCase().split(/[\s@.]+/)), [])
      .filter((word) => word.length >= 3);

  const judge = (input) => {
    const output = document.querySelector(`[data-strength-for="${input.id}"]`);
    if (!output) return;
    const names = ['short', 'weak', 'fair', 'good', 'strong'];
    let timer = 0;

    input.addEventListener('input', () => {
      clearTimeout(timer);
      if (input.value === '') {
        output.removeAttribute('data-level');
        output.textContent = '';
        return;
      }
      const found = level(input.value, ownWords(input.form, input));
      const missing = shortest - Array.from(input.value).length;
      const text = (output.getAttribute(`data-${names[found]}`) || '').replace('{n}', missing);
      output.setAttribute('data-level', found);
      // Read aloud once the fingers rest, not at every key.
      timer = setTimeout(() => {
        output.textContent = text;
      }, 300);
    });
  };

  const reveal = (input) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button secondary';
    const name = (shown) => {
      input.type = shown ? 'text' : 'password';
      button.textContent = input.getAttribute(shown ? 'data-hide' : 'data-show');
    };
    button.setAttribute('aria-controls', input.id);
    button.addEventListener('click', () => name(input.type === 'password'));
    name(false);
    input.insertAdjacentElement('afterend', button);
    // Sent as a password, so that browsers neither remember nor suggest it as text.
    if (input.form) input.form.addEventListener('submit', () => name(false));
  };

  // A person who can look at the password need not type it twice. A repeat that was refused stays.
  const repeat = (input) => {
    const copy = input.form && input.form.elements.namedItem(`${input.name}_confirm`);
    if (!copy || copy.hasAttribute('aria-invalid')) return;
    const follow = () => {
      copy.value = input.value;
    };
    copy.closest('.field').hidden = true;
    ['input', 'change'].forEach((kind) => input.addEventListener(kind, follow));
    // A password manager may fill in without either.
    input.form.addEventListener('submit', follow);
    follow();
  };

  document.querySelectorAll('input[data-strength]').forEach(judge);
  document.querySelectorAll('input[data-strength][data-show]').forEach(repeat);
  document.querySelectorAll('.password > input[data-show][data-hide]').forEach(reveal);
})();
