/**
 * The part of a file that a Range header requests: { start, end }, both inclusive, or 'unsatisfiable'. Undefined means
 * the whole file, which is also a valid answer to several ranges and to malformed ones (RFC 9110, 14.2).
 */
export function rangeOf(header, size) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') {
    const length = Number(match[2]);
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}
