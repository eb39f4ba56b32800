// Whether all compute the same model: what each of them says of the tokens that wllama finds most probable after the prompt.
import { WLLAMA } from '../contestants.mjs';

const TOKENS = 10;
/** Of quintet's answer, so that all tokens of the peer are among them. */
const MANY = 1000;

/** Largest difference of the logarithms of probabilities to wllama's, by contestant's name. */
export async function compareAnswers(stages, ids) {
  const peer = stages.find(({ contestant }) => contestant.name === WLLAMA);
  const expected = await peer.call('likeliest', ids, TOKENS);
  const differences = {};
  for (const { contestant, call } of stages) {
    if (contestant.options.library !== 'quintet') continue;
    const answer = new Map(await call('likeliest', ids, MANY));
    const distances = expected.map(([id, logarithm]) => Math.abs(logarithm - (answer.get(id) ?? -Infinity)));
    differences[contestant.name] = Math.max(...distances);
  }
  return differences;
}
