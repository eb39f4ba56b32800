// The block of settings with which a page of Markdown may begin: lines of `name: value` between two lines of `---`, or
// of `name = value` between `+++`.

export interface FrontMatter {
  /** Names in lower case. Lists and nested values are left out. */
  fields: Map<string, string>;
  /** The text after it. */
  body: string;
}

/** In UTF-16 units: longer lines are neither titles nor dates. */
const maxLine = 2000;

export function frontMatterOf(text: string): FrontMatter {
  const fields = new Map<string, string>();
  const [whole, , content] = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n([^]*?\r?\n)??\1[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (whole === undefined) return { fields, body: text };
  for (const line of content?.split(/\r?\n/) ?? []) {
    if (line.length > maxLine) continue;
    const [, name, value] = /^([\w-]+)\s*[:=]\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (name && value && !/^[[{|>&*!#]/.test(value)) fields.set(name.toLowerCase(), unquoted(value));
  }
  return { fields, body: text.slice(whole.length) };
}

function unquoted(value: string): string {
  const [, quote, inner] = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value) ?? [];
  if (quote === undefined || inner === undefined) return value.replace(/\s#.*$/, '').trimEnd();
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, '$1');
}
