/** The number of characters at the end that may be the beginning of `marker`. */
export function partialEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; --length) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
