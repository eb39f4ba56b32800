// The keys that open the search: / outside of fields, and Ctrl+K or Cmd+K anywhere.

interface Opened {
  open(): void;
}

/** The elements on the page, in the order in which they were added. The first one answers. */
const present: Opened[] = [];

export const isFirst = (search: Opened): boolean => present[0] === search;

export function addShortcuts(search: Opened): void {
  if (present.length === 0) document.addEventListener('keydown', pressed);
  present.push(search);
}

export function removeShortcuts(search: Opened): void {
  const at = present.indexOf(search);
  if (at >= 0) present.splice(at, 1);
  if (present.length === 0) document.removeEventListener('keydown', pressed);
}

function pressed(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isCommand = key.toLowerCase() === 'k' && (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey);
  const isSlash = key === '/' && !ctrlKey && !metaKey && !isField(event.composedPath()[0]);
  if (event.defaultPrevented || altKey || !(isSlash || (isCommand && !shiftKey))) return;
  event.preventDefault();
  present[0]?.open();
}

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName));

const isApple = (): boolean => /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** As the button shows it. */
export const shortcutText = (): string => (isApple() ? '⌘K' : 'Ctrl K');
/** For `aria-keyshortcuts`. */
export const shortcutKeys = (): string => (isApple() ? 'Meta+K' : 'Control+K') + ' /';
