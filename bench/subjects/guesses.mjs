// Texts with guessed tokens compared with the same texts without: a form by its schema, an answer that quotes its
// prompt, and a text that does neither, in Node 24.
//   [--shape NAME] [--threads N]
import { join } from 'node:path';

import { agreement, atLeast, more } from '../harness/lines.mjs';
import { takeTurns, withStages } from '../harness/rounds.mjs';
import { equal, mapValues, median } from '../harness/statistics.mjs';
import { prepareModels, quintetFile } from '../models/decoder/prepare.mjs';
import { SHAPES } from '../models/decoder_shapes.mjs';

export const peers = [];
export const options = { shape: { type: 'string', choices: Object.keys(SHAPES) }, threads: { type: 'string' } };
export const paces = { full: { rounds: 5, freeTokens: 100 }, quick: { rounds: 1, freeTokens: 40 } };

/** The speedup from guesses on a processor without a fused dot product. */
const JOBS = {
  form: { what: 'a form by its schema', target: atLeast(1.25) },
  quotes: { what: 'an answer of which 80 % are quotes of its prompt', target: atLeast(1.3) },
  free: { what: 'other text', target: atLeast(0.98) },
};
const CONTESTANTS = { guessing: 'auto', plain: false };

export async function measure({ pace, options: { shape = 'TinyLlama-1.1B', threads = '1' } }) {
  await prepareModels([shape]);
  const module = join(import.meta.dirname, '../contestants/decoder.mjs');
  const own = { model: quintetFile(shape), variant: 'relaxed', threads: Number(threads) };
  const contestants = Object.keys(CONTESTANTS).map((name) => ({ name, module, library: 'quintet', options: own }));
  return withStages(contestants, {}, async (stages) => {
    const texts = { guessing: {}, plain: {} };
    const samples = await takeTurns(
      stages,
      { rounds: pace.rounds, jobs: Object.keys(JOBS), title: shape },
      async ({ contestant: { name }, call, cpuMilliseconds }, job) => {
        await call('beginText', job, SHAPES[shape].vocabulary);
        const begin = await cpuMilliseconds();
        const { ids, guessed } = await call('writeText', pace.freeTokens, CONTESTANTS[name]);
        texts[name][job] = { ids, guessed };
        return { [job]: (1000 * ids.length) / ((await cpuMilliseconds()) - begin) };
      },
    );
    const rates = mapValues(samples, (jobs) => mapValues(jobs, median));
    return { shape, threads, rates, texts };
  });
}

export const sections = ({ shape, threads, rates, texts }) => [
  {
    title: `Guessed tokens: ${shape}, threads: ${threads}, tokens per second of processor time with and without`,
    lines: Object.entries(JOBS).flatMap(([job, { what, target }]) => {
      const { ids, guessed } = texts.guessing[job];
      return [
        more(`${what}: ${ids.length} tokens, ${guessed} guessed`, rates.guessing[job], rates.plain[job], target),
        agreement(`${what}: the same text`, equal(ids, texts.plain[job].ids)),
      ];
    }),
  },
];
