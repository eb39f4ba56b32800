// Texts at once: tokens per second of 1 to 16 texts that advance together, compared with one text, and with a prompt
// that has the same number of tokens in a pass over the weights. In Node 24.
//   [--threads N]
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { agreement, atLeast, more } from '../harness/lines.mjs';
import { takeTurns, withStages } from '../harness/rounds.mjs';
import { mapValues } from '../harness/statistics.mjs';
import { promptIds } from '../jobs/decoding.mjs';
import { prepareModels, quintetFile } from '../models/decoder/prepare.mjs';
import { SHAPES } from '../models/decoder_shapes.mjs';

export const peers = [];
export const options = { threads: { type: 'string' } };
export const paces = { full: { rounds: 5 }, quick: { rounds: 1 } };

const SHAPE = 'TinyLlama-1.1B';
const COUNTS = [1, 2, 4, 8, 16];
const PROMPT = 16;
const TOKENS = 9;
/** Fractions of the speed of a prompt. */
const TARGETS = { 8: atLeast(0.9) };

const nameOf = (threads) => (threads === 1 ? 'one thread' : `${threads} threads`);

export async function measure({ pace, options }) {
  await prepareModels([SHAPE]);
  const several = Number(options.threads ?? availableParallelism());
  const ids = promptIds(SHAPES[SHAPE].vocabulary).slice(0, PROMPT);
  const contestants = [...new Set([1, several])].map((threads) => ({
    name: nameOf(threads),
    module: join(import.meta.dirname, '../contestants/decoder.mjs'),
    library: 'quintet',
    options: { model: quintetFile(SHAPE), variant: 'relaxed', threads },
  }));
  return withStages(contestants, {}, async (stages) => {
    const answers = {};
    for (const { contestant, call } of stages)
      answers[contestant.name] = await call('togetherAsAlone', Math.max(...COUNTS), ids, TOKENS);
    const samples = await takeTurns(
      stages,
      { rounds: pace.rounds, jobs: COUNTS, title: SHAPE },
      async ({ call }, count) => ({ [count]: await call('together', count, ids, TOKENS) }),
    );
    // Other programs on the machine only make passes slower.
    const best = (rates) => mapValues(rates, (list) => Math.max(...list));
    return { answers, speeds: mapValues(samples, (counts) => mapValues(counts, best)) };
  });
}

export const sections = ({ answers, speeds }) => [
  ...Object.entries(speeds).flatMap(([threads, rates]) => [
    {
      title: `${SHAPE}, ${SHAPES[SHAPE].mixture}, ${threads}: tokens per second of texts at once, beside one text`,
      lines: COUNTS.map((count) => more(textsOf(count), rates[count].together, rates[1].together)),
    },
    {
      title: `${threads}: the same, beside a prompt of as many tokens`,
      lines: COUNTS.map((count) => more(textsOf(count), rates[count].together, rates[count].prompt, TARGETS[count])),
    },
  ]),
  {
    title: `${Math.max(...COUNTS)} texts at once: the same as alone`,
    lines: Object.entries(answers).map(([threads, same]) => agreement(threads, same)),
  },
];

const textsOf = (count) => (count === 1 ? 'one text' : `${count} texts`);
