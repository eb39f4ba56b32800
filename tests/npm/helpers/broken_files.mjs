// The recipes of tests/fixtures/malformed, and the files that they make.
import { readFileSync } from 'node:fs';

const folder = new URL('../../fixtures/', import.meta.url);

export const fixtureBytes = (path) => new Uint8Array(readFileSync(new URL(path, folder)));
export const recipesOf = (format) => JSON.parse(readFileSync(new URL(`malformed/${format}.json`, folder), 'utf8'));

/** All files that a recipe makes. */
export function* brokenFiles({ base, edits = [], truncate_to: lengths, flips }) {
  const original = fixtureBytes(base);
  if (lengths) {
    for (const length of lengths) yield original.slice(0, length);
  } else if (flips) {
    for (const [at, value] of flips) {
      const file = original.slice();
      file[at] = value;
      yield file;
    }
  } else {
    yield edited(original, edits);
  }
}

function edited(original, edits) {
  const parts = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    parts.push(original.subarray(at, edit.at));
    for (const { hex, repeat = 1 } of edit.pieces ?? [edit]) {
      const piece = Buffer.from(hex, 'hex');
      parts.push(Buffer.alloc(piece.length * repeat, piece));
    }
    at = edit.at + edit.delete;
  }
  parts.push(original.subarray(at));
  return new Uint8Array(Buffer.concat(parts));
}
