import { chunksOf } from './chunks.js';
import { type LeftOut, type Passage, UnreadableFile } from './passage.js';

/**
 * Passages of a file with one JSON value per line: {"text", "title"?, "source"?}, or a string. Other lines are added to
 * `leftOut`; a file without any passage is refused.
 */
export function* jsonLinesPassages(name: string, text: string, leftOut: LeftOut[]): Generator<Passage> {
  let good = 0;
  let number = 0;
  for (const line of linesOf(text)) {
    ++number;
    if (line.trim() === '') continue;
    const read = passageOf(line, `${name}, line ${number}`);
    if (typeof read === 'string') {
      leftOut.push({ line: number, why: read });
      continue;
    }
    ++good;
    yield* inParts(read);
  }
  const [first] = leftOut;
  if (good === 0 && first) {
    throw new UnreadableFile(`${name} has no valid line. Line ${first.line}: ${first.why}.`);
  }
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield end < 0 ? text.slice(start) : text.slice(start, end);
    start = end < 0 ? text.length : end + 1;
  }
}

function* inParts(passage: Passage): Generator<Passage> {
  for (const { text } of chunksOf(passage.text)) yield { ...passage, text };
}

/** The passage, or a message about the mistake in the line. */
function passageOf(line: string, place: string): Passage | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `not JSON (${(error as Error).message})`;
  }
  if (typeof value === 'string') return value.trim() ? { title: '', text: value, source: place } : 'the text is empty';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'neither an object nor a string';
  const { text, title, source } = value as Record<string, unknown>;
  if (typeof text !== 'string') return 'no string under "text"';
  if (text.trim() === '') return 'the text is empty';
  return {
    title: typeof title === 'string' ? title : '',
    text,
    source: typeof source === 'string' ? source : place,
  };
}
