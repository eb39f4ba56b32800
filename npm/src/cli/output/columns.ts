// Tables for a terminal.

/** Text from a file without control characters, which a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}

export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, printable(cell).length)));
  }
  return rows.map((row) =>
    row.map((cell, i) => printable(cell).padEnd(i === row.length - 1 ? 0 : widths[i]!)).join('  '),
  );
}
