// The results as Markdown tables that are also aligned for a terminal.

const COLUMNS = {
  what: ({ what }) => what,
  quintet: ({ quintet = '' }) => quintet,
  peer: ({ peer = '' }) => peer,
  ratio: ({ ratio }) => (ratio === undefined ? '' : `${ratio.toFixed(2)} x`),
  target: ({ target = '' }) => target,
  result: ({ met }) => (met === undefined ? '' : met ? 'pass' : 'below'),
};

export function report(machine, checks) {
  const sections = new Set(checks.map(({ section }) => section));
  const tables = Array.from(sections, (section) => {
    const lines = checks.filter((check) => check.section === section);
    return `### ${section}\n\n${table(lines)}`;
  });
  const judged = checks.filter(({ met }) => met !== undefined);
  const passed = judged.filter(({ met }) => met);
  return [
    describe(machine),
    ...tables,
    `${passed.length} of ${judged.length} targets reached.`,
  ].join('\n\n');
}

function describe({ date, processor, cores, node, chromium, peers, load, vnni, dotProduct }) {
  return [
    `- ${date}, ${processor}, ${cores} cores; AVX-VNNI: ${vnni ? 'yes' : 'no'}`,
    `- relaxed dot product of bytes: ${dotProduct}`,
    `- load of the machine before the run: ${load.toFixed(2)}`,
    `- Node ${node}${chromium === undefined ? '' : `, ${chromium}`}`,
    ...Object.entries(peers).map(([name, version]) => `- ${name} ${version}`),
  ].join('\n');
}

function table(lines) {
  const names = Object.keys(COLUMNS);
  const rows = [names, ...lines.map((line) => names.map((name) => COLUMNS[name](line)))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const format = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [format(rows[0]), rule, ...rows.slice(1).map(format)].join('\n');
}
