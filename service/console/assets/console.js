// The pages work without this script. It adds copy buttons and applies a suggested set of scopes without loading the page.

const status = document.querySelector('#status');
for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected: press Ctrl+C';
    }
    status.textContent = button.textContent;
    setTimeout(() => {
      button.textContent = label;
      status.textContent = '';
    }, 4000);
  });
}
const boxes = [...document.querySelectorAll('input[name="scopes"]')];
const sets = [...document.querySelectorAll('button[data-scopes]')];
const markActiveSet = () => {
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
    status.textContent = `${wanted.length} scopes chosen: ${wanted.join(', ')}`;
    markActiveSet();
  });
}
for (const box of boxes) box.addEventListener('change', markActiveSet);
if (sets.length > 0) markActiveSet();
