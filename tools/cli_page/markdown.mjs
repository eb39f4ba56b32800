// Help texts as Markdown: input of users and output of programs become code.

export const code = (text) => `\`${text}\``;

/** A table whose columns are padded, as the formatter writes it. */
export function table(heads, rows) {
  const all = [heads, ...rows];
  const widths = heads.map((_, i) => Math.max(3, ...all.map((cells) => cells[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const start = '(?<=^|[ (])';
const end = '(?=[ ;:,.)]|$)';
const inCode = [
  '`[^`]*`',
  `${start}--[a-z][a-z-]*`,
  `${start}'[^']*'${end}`,
  'hf:[^ ,;)]+',
  'https?://[^ ,;)]+',
  `${start}\\.[a-z]+${end}`,
  `${start}\\*\\.[a-z]+${end}`,
  `${start}-(?= for std)`,
  '\\[[A-Z]+\\]',
  `${start}[:"*]${end}`,
  '\\b[a-z][a-z_]*\\.(?:json|model|txt)\\b',
  '"[A-Za-z0-9]+"',
  'quintet-models',
  '\\b(?:FILE|DIR|QUERY|TEXT)\\b',
];

/** Backticks that the help has already stay; quotes around a word are not typed. */
const asCode = (found) => (found.startsWith('`') ? found : code(found.replace(/^"(\w+)"$/, '$1')));

/** The help of an option; the name of its value, such as `N`, is code too. */
export function helpText(help, value = '') {
  const names = value.match(/[A-Z]+/g) ?? [];
  const pattern = new RegExp([...inCode, ...names.map((name) => `\\b${name}\\b`)].join('|'), 'g');
  return partsOf(help)
    .map(({ text, isJson }) => (isJson ? code(text) : text.replace(pattern, asCode)))
    .join('')
    .replaceAll('|', '\\|');
}

/** Splits a text at its JSON: from `{"` to the bracket that closes it. */
function partsOf(text) {
  const begin = text.indexOf('{"');
  if (begin < 0) return [{ text, isJson: false }];
  let end = begin;
  let depth = 0;
  do {
    if (text[end] === '{') depth += 1;
    if (text[end] === '}') depth -= 1;
    end += 1;
  } while (depth > 0 && end < text.length);
  return [
    { text: text.slice(0, begin), isJson: false },
    { text: text.slice(begin, end), isJson: true },
    ...partsOf(text.slice(end)),
  ];
}
