// Lines of a table for what was measured of texts that are kept to a grammar, as checks.mjs makes them.
import { quintetName, WLLAMA_3 } from './contestants.mjs';
import { SHAPES } from './shapes.mjs';
import { TARGETS } from './targets.mjs';

const WHEN = { first: 'the first text', median: 'later texts, median' };

export function formChecks(shape, measured) {
  const section = `${shape}, ${SHAPES[shape].mixture}: tokens per second of a text that is kept to a grammar`;
  return Object.entries(WHEN).flatMap(([key, words]) =>
    ['node', 'chromium'].map((environment) => {
      const name = quintetName('relaxed', environment);
      const [ours, theirs] = [measured[name].rate[key], measured[WLLAMA_3].rate[key]];
      const ratio = ours / theirs;
      return {
        section,
        what: `${words}, ${name}, beside ${WLLAMA_3}`,
        quintet: ours.toFixed(1),
        peer: theirs.toFixed(2),
        ratio,
        ...(key === 'median' ? { target: TARGETS.formSpeedup.text, met: TARGETS.formSpeedup.isMet(ratio) } : {}),
      };
    }),
  );
}
