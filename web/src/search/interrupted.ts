// Whether the page was closed while it was indexing: nothing is kept then, which the next visit should say.

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

/** Where the site may store nothing, it has nothing to say either. */
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
