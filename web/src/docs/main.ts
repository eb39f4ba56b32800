import '../shared/shell.js';

const menu = document.querySelector<HTMLDetailsElement>('.docs-menu')!;
const isWide = matchMedia('(min-width: 60rem)');

/** Beside the text there is room for all pages. */
const unfold = (): void => {
  menu.open = isWide.matches;
};
isWide.addEventListener('change', unfold);
unfold();
