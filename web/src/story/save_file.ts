import { element } from '../shared/dom.js';

/** Gives the visitor a file, where downloads go. */
export function saveFile(name: string, content: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([content as Uint8Array<ArrayBuffer>]));
  element('a', { href: url, download: name }).click();
  // The download holds the content by now.
  setTimeout(() => URL.revokeObjectURL(url));
}
