// Makes a corpus of any size from a small one.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { writeAtomically } from './atomic_file.mjs';

/** Writes `count` passages: those of a file of JSON lines, repeated under new ids. */
export async function writeRepeatedCorpus(path, source, count) {
  await writeAtomically(path, repeatedLines(source, count));
}

async function* repeatedLines(source, count) {
  let written = 0;
  for (let round = 0; written < count; ++round) {
    for await (const line of createInterface({ input: createReadStream(source) })) {
      if (written === count) return;
      const { id, ...passage } = JSON.parse(line);
      yield `${JSON.stringify({ id: `${id}-${round}`, ...passage })}\n`;
      written += 1;
    }
  }
}
