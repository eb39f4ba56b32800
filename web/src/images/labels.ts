/** The names of a classifier's classes: a JSON array of strings, or one name per line. */
export async function readLabels(file: File): Promise<string[]> {
  const text = await file.text();
  if (!/\.json$/i.test(file.name)) return text.replace(/\r?\n$/, '').split(/\r?\n/);
  const labels: unknown = parse(text);
  if (Array.isArray(labels) && labels.every((label) => typeof label === 'string')) return labels;
  throw new Error(`${file.name} is not an array of names.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
