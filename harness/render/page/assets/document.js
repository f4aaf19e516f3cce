// What the page does beside its explorer: it copies command lines, and prints what is folded.

async function copy(button) {
  const code = button.parentElement.querySelector('code');
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Some viewers give no clipboard to a page from a file. The line is selected, so that a key press copies it.
    button.textContent = 'Selected';
  }
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('.copy');
  if (button) copy(button);
});

// Print shows the content of every <details>.
const opened = [];
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details:not([open])')) opened.push(details);
  for (const details of opened) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of opened.splice(0)) details.open = false;
});
