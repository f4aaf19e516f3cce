// What a browser with scripts adds to pages that work without: copying, and ticking a set of scopes in place.

const said = document.querySelector('#said');
for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const from = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(from.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(from);
      button.textContent = 'Selected: press Ctrl+C';
    }
    said.textContent = button.textContent;
    setTimeout(() => {
      button.textContent = label;
      said.textContent = '';
    }, 4000);
  });
}
const boxes = [...document.querySelectorAll('input[name="scopes"]')];
const sets = [...document.querySelectorAll('button[data-scopes]')];
const show = () => {
  const ticked = boxes
    .filter((box) => box.checked)
    .map((box) => box.value)
    .sort()
    .join(' ');
  for (const set of sets) set.setAttribute('aria-pressed', String(set.dataset.scopes === ticked));
};
for (const set of sets) {
  set.addEventListener('click', (event) => {
    event.preventDefault();
    const wanted = set.dataset.scopes.split(' ');
    for (const box of boxes) box.checked = wanted.includes(box.value);
    said.textContent = `${wanted.length} scopes chosen: ${wanted.join(', ')}`;
    show();
  });
}
for (const box of boxes) box.addEventListener('change', show);
if (sets.length > 0) show();
