// The rules of a JSON schema as a part of another grammar.

/** Texts, classes of characters, tokens, and names of rules. */
const parts = /"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|<[^>]*>|[A-Za-z][\w-]*/g;

/** Characters after a backslash in JSON, as the engine writes them; Python does not have \\/. */
const [escapesOfJson, escapesOfPython] = ['["\\\\/bfnrt]', '["\\\\bfnrt]'];

/** `gbnf`: of one schema. Its rules get their own names, the first that of the schema. */
export function schemaRules(gbnf: string, name: string, python: boolean): string {
  return gbnf.replace(parts, (part) => {
    if (part === escapesOfJson && python) return escapesOfPython;
    if (!/^[A-Za-z]/.test(part)) return part;
    return part === 'root' ? name : `${name}-${part}`;
  });
}
