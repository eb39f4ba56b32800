// A run as Markdown, whose tables are also aligned for a terminal.

/** Of a line. */
const COLUMNS = {
  what: ({ what }) => what,
  quintet: ({ quintet = '' }) => quintet,
  peer: ({ peer = '' }) => peer,
  ratio: ({ ratio }) => (ratio === undefined ? '' : `${ratio.toFixed(2)} x`),
  target: ({ target = '' }) => target,
  result: ({ met }) => (met === undefined ? '' : met ? 'pass' : 'below'),
};

/** { title, columns, rows } of texts, with the columns that some line fills. */
export function tableOf({ title, lines }) {
  const columns = Object.keys(COLUMNS).filter((name) => lines.some((line) => COLUMNS[name](line) !== ''));
  return { title, columns, rows: lines.map((line) => columns.map((name) => COLUMNS[name](line))) };
}

/** A run: { command, machine, tables, note }. `level`: of the headings of tables. */
export function report(run, level = 3) {
  return [describe(run), ...run.tables.map((table) => markdown(table, level)), ...reached(run.tables)].join('\n\n');
}

function describe({ command, machine, note }) {
  const { date, processor, cores, vnni, dotProduct, load, node, chromium, peers = {} } = machine;
  const engines = [node && `Node ${node}`, chromium].filter(Boolean).join(', ');
  const facts = [
    `${[date, processor, cores && `${cores} cores`].filter(Boolean).join(', ')}; AVX-VNNI: ${vnni ? 'yes' : 'no'}`,
    dotProduct && `relaxed dot product of bytes: ${dotProduct}`,
    load !== undefined && `load of the machine before the run: ${load.toFixed(2)}`,
    engines,
    ...Object.entries(peers).map(([name, version]) => `${name} ${version}`),
  ];
  const list = facts
    .filter(Boolean)
    .map((fact) => `- ${fact}`)
    .join('\n');
  return [`From \`${command}\`${note ? `, ${note}` : ''}:`, list].join('\n\n');
}

/** A table without a title has no heading. */
export function markdown({ title, columns, rows }, level) {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const table = [format(columns), rule, ...rows.map(format)].join('\n');
  return title ? `${'#'.repeat(level)} ${title}\n\n${table}` : table;
}

function reached(tables) {
  const results = tables.flatMap(({ columns, rows }) => {
    const column = columns.indexOf('result');
    return column < 0 ? [] : rows.map((row) => row[column]).filter((cell) => cell !== '');
  });
  const passed = results.filter((cell) => cell === 'pass').length;
  return results.length === 0 ? [] : [`${passed} of ${results.length} targets reached.`];
}
