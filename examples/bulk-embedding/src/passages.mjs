// The lines of a chunk as passages. What counts as one, and what as a bad line, is as for `quintet search --corpus`.

/**
 * @typedef {object} Passage
 * @property {number} line its number in the corpus, from 1 on
 * @property {number} offset of its first byte in the corpus
 * @property {string} text
 */

const NEWLINE = 10;

/**
 * @param {Uint8Array} bytes of the chunk
 * @param {{ start: number, firstLine: number }} chunk where they stand in the corpus
 * @returns {{ passages: Passage[], errors: { line: number, offset: number, error: string }[] }}
 */
export function passagesOf(bytes, { start, firstLine }) {
  const passages = [];
  const errors = [];
  let line = firstLine;
  for (let from = 0, end; from < bytes.length; from = end + 1, line += 1) {
    end = bytes.indexOf(NEWLINE, from);
    if (end < 0) end = bytes.length;
    const place = { line, offset: start + from };
    const { text, error } = textOf(bytes.subarray(from, end));
    if (error !== undefined) errors.push({ ...place, error });
    else if (text.trim() !== '') passages.push({ ...place, text });
  }
  return { passages, errors };
}

/** The text of a line, '' where it is blank, or why there is none. */
function textOf(bytes) {
  let json;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { error: 'is not UTF-8' };
  }
  if (json.trim() === '') return { text: '' };
  let record;
  try {
    record = JSON.parse(json);
  } catch {
    return { error: 'is not JSON' };
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return { error: 'is not a JSON object' };
  if (!isId(record.id, json)) return { error: 'has an "id" that is neither a string nor an exact number' };
  if (typeof record.text !== 'string') return { error: 'has no "text"' };
  return { text: record.text };
}

/** There need be none. Numbers of JSON may have more digits than JavaScript's. */
function isId(id, json) {
  if (typeof id !== 'number') return id === undefined || typeof id === 'string';
  return Number.isInteger(id) ? Number.isSafeInteger(id) : json.includes(String(id));
}
