// Long lists of texts in slices.

// Limits of one call to a host: enough for full batches, small enough for timely progress and aborts.
const sliceTexts = 256;
const sliceChars = 16384;

/** The next texts of a list, from `first` on: at least one. */
export function sliceFrom(texts: readonly string[], first: number): string[] {
  let end = first;
  for (let chars = 0; end < texts.length && end - first < sliceTexts && chars < sliceChars; ++end) {
    chars += texts[end]!.length;
  }
  return texts.slice(first, end);
}
