// `?q=` of the page's address.

const parameter = 'q';

export const queryOfAddress = (): string => new URLSearchParams(location.search).get(parameter) ?? '';

/** Replaces the query in the address, without an entry in the history. */
export function showInAddress(query: string): void {
  const url = new URL(location.href);
  if ((url.searchParams.get(parameter) ?? '') === query) return;
  if (query) url.searchParams.set(parameter, query);
  else url.searchParams.delete(parameter);
  history.replaceState(history.state, '', url);
}
