// JSON with two facts that JSON.parse loses: the spelling of numbers, and the order of members whose names are numbers.

const stringOrNumber = /"([^"\\]*(?:\\.[^"\\]*)*")|-?\d[-+.\deE]*/g;

/**
 * The value of a JSON text. Callers choose the form of its parts; an object's members come in order, as from
 * Object.entries. The reviver of Node 20 does not see how numbers are written, so the parser gets them as strings.
 * @param number Makes a number from its source
 * @throws SyntaxError if the text is not JSON
 */
export function readJson(
  text: string,
  number: (source: string) => unknown,
  object: (members: [string, unknown][]) => unknown = Object.fromEntries,
  string: (value: string) => unknown = (value) => value,
): unknown {
  JSON.parse(text);
  // Strings get a mark, and numbers become strings with another one. So no name looks like the index of an array.
  const marked = text.replace(stringOrNumber, (token, inside?: string) =>
    inside === undefined ? `"-${token}"` : `" ${inside}`,
  );
  return JSON.parse(marked, (_, value: unknown) => {
    if (typeof value === 'string') return value[0] === '-' ? number(value.slice(1)) : string(value.slice(1));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return object(Object.entries(value).map(([name, member]) => [name.slice(1), member]));
  });
}
