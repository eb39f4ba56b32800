import '../shared/shell.js';

const menu = document.querySelector<HTMLDetailsElement>('.docs-menu')!;
const isWide = matchMedia('(min-width: 60rem)');

/** There is room for all pages next to the text. */
const unfold = (): void => {
  menu.open = isWide.matches;
};
isWide.addEventListener('change', unfold);
unfold();
