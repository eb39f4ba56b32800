import { chunksOf } from './chunks.js';
import type { Passage } from './passage.js';

export function* plainTextPassages(name: string, text: string): Generator<Passage> {
  const title = name.replace(/\.[^.]+$/, '');
  for (const chunk of chunksOf(text)) yield { title, text: chunk.text, source: `${name}, line ${chunk.line}` };
}
