// Remembers that indexing is under way: if the page is closed meanwhile, nothing is saved, and the next visit shows
// that.

const key = 'quintet-indexing';

export function rememberIndexing(files: string): void {
  attempt(() => localStorage.setItem(key, files));
}

export function forgetIndexing(): void {
  attempt(() => localStorage.removeItem(key));
}

/** The files that were being indexed when the page was closed. */
export function interruptedIndexing(): string | undefined {
  const files = attempt(() => localStorage.getItem(key));
  forgetIndexing();
  return files ?? undefined;
}

/** Without storage there is nothing to remember. */
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
