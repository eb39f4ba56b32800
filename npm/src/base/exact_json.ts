// JSON whose integers may be larger than a number holds exactly: beyond 2^53 - 1.

/** A string, with the colon that follows a key, or a number. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

const isInteger = /^-?\d+$/;

/** A bigint where a number would be another integer. */
export const exactInteger = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

/**
 * Like JSON.parse, with large integers as bigint. The reviver of Node 20 does not see the source of a number, so the parser
 * gets these integers as strings; a first letter tells them from the strings of the text.
 * @throws SyntaxError if the text is no JSON
 */
export function parseExactly(text: string): unknown {
  JSON.parse(text);
  const marked = text.replace(tokens, (token: string, string?: string, colon?: string) => {
    if (string) return colon ? token : `"s${string.slice(1)}`;
    return isInteger.test(token) && !Number.isSafeInteger(Number(token)) ? `"i${token}"` : token;
  });
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    return value[0] === 's' ? value.slice(1) : BigInt(value.slice(1));
  });
}
