// Measures all contestants of one shape in turns: in every round each one runs once, in an order that rotates. Only figures
// of one run are compared with each other.
import { median } from '../shared/statistics.mjs';
import { ENVIRONMENTS } from './contestants.mjs';
import { ANSWER_TOKENS } from './workload.mjs';

/** `use` gets the open stages, { contestant, call } each. They are closed whatever happens. */
export async function withStages(contestants, server, use) {
  const stages = [];
  try {
    for (const contestant of contestants) {
      const stage = await ENVIRONMENTS[contestant.environment].open(server);
      stages.push({ contestant, ...stage });
      await stage.call('open', contestant.options).catch((error) => {
        throw new Error(`${contestant.name}: ${error.message}`);
      });
    }
    return await use(stages);
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

/** Tokens per second: { prefill: { best, median }, decode } by contestant's name. The first round is not counted. */
export async function measureInRounds(stages, ids, { rounds, log }) {
  const samples = Object.fromEntries(
    stages.map(({ contestant }) => [contestant.name, { prefill: [], decode: [] }]),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const { contestant, call } of rotated(stages, round)) {
      if (round > (contestant.maxRounds ?? rounds)) continue;
      const { prefill, decode } = await call('run', ids, ANSWER_TOKENS);
      if (round === 0) continue;
      samples[contestant.name].prefill.push(prefill);
      samples[contestant.name].decode.push(decode);
    }
    log(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`);
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, { prefill, decode }]) => [
      name,
      { prefill: rates(prefill), decode: rates(decode) },
    ]),
  );
}

const rates = (samples) => ({ best: Math.max(...samples), median: median(samples) });

export function rotated(items, by) {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
