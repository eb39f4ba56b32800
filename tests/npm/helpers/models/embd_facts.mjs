// Facts of the fixtures' generator that an inspection must show.
import { readFileSync } from 'node:fs';
import { fixture } from '../quintet.mjs';

export function embdFacts(file) {
  const cases = JSON.parse(readFileSync(fixture('embd/expected.json')));
  return cases.find((one) => one.file === file).expect.inspect;
}
