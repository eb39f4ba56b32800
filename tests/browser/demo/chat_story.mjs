// The bundled model's answer on the chat page, which is known: it continues the prompt.
import { readFileSync } from 'node:fs';

export const beginning = 'Once upon a time, there was a little girl named Lily.';

// Written by llama2.c's own program.
const story = new URL('../../fixtures/storyteller/expected_greedy_200.txt', import.meta.url);
export const onOneLine = (text) => text.replace(/\s+/g, ' ');
export const known = onOneLine(readFileSync(story, 'utf8'));

/** Whether this is an answer to the beginning. A page leaves out the space between the two. */
export function expectKnown(said) {
  expect(said.length).toBeGreaterThan(60);
  expect(known).toContain(beginning + onOneLine(said.trimEnd().replace(/^(?! )/, ' ')));
}
