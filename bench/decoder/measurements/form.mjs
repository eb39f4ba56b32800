// Texts that are kept to a grammar, in turns: in every round each contestant writes one.
import { median } from '../../shared/statistics.mjs';
import { quintetName, WLLAMA_3 } from '../contestants.mjs';
import { GRAMMAR, isOfForm, MOST_TOKENS } from '../form.mjs';
import { rotated } from '../rounds.mjs';

/** Few: what is timed is what follows the prompt. */
const PROMPT = 16;

/** wllama 2 does not tell its grammar which tokens were chosen: every token is kept to the beginning of the form. */
export const formContestants = [quintetName('relaxed', 'node'), quintetName('relaxed', 'chromium'), WLLAMA_3];

/** { tokens, rate: { first, median } } by contestant's name, in tokens per second; the median is without the first text. */
export async function measureForm(stages, ids, { rounds, log }) {
  const samples = Object.fromEntries(stages.map(({ contestant }) => [contestant.name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { contestant, call } of rotated(stages, round)) {
      const { text, tokens, ms } = await call('writeForm', ids.slice(0, PROMPT), GRAMMAR, MOST_TOKENS);
      if (!isOfForm(text)) throw new Error(`${contestant.name} wrote what is not of the form: ${text}`);
      samples[contestant.name].push({ tokens, rate: (1000 * tokens) / ms });
    }
    log(round === 0 ? 'first texts' : `round ${round} of ${rounds}`);
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, [first, ...others]]) => [
      name,
      { tokens: first.tokens, rate: { first: first.rate, median: median(others.map(({ rate }) => rate)) } },
    ]),
  );
}
