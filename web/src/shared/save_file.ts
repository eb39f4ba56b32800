import { element } from './dom.js';

/** Downloads a file. */
export function saveFile(name: string, content: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([content as Uint8Array<ArrayBuffer>]));
  element('a', { href: url, download: name }).click();
  // The download has begun and holds the content.
  setTimeout(() => URL.revokeObjectURL(url));
}
