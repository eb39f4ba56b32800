// The Copy buttons next to the code of a page (building/usage.mjs).

const said = document.getElementById('copied')!;

async function copy(button: HTMLButtonElement): Promise<void> {
  const code = document.getElementById(button.dataset['copies']!)!;
  try {
    await navigator.clipboard.writeText(code.textContent);
    said.textContent = 'Copied.';
    button.textContent = 'Copied';
  } catch {
    // Not allowed here: it is selected instead, so that one key copies it.
    getSelection()?.selectAllChildren(code);
    said.textContent = 'Selected. Press Ctrl+C or ⌘C to copy.';
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, 2500);
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
  button.addEventListener('click', () => void copy(button));
}
