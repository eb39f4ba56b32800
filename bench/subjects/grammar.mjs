// The time to compute a mask of the tokens that a grammar allows, in Node 24.
import { join } from 'node:path';

import { onFreshStage } from '../harness/environments.mjs';
import { atMost, figure, verdict } from '../harness/lines.mjs';
import { mapValues, median } from '../harness/statistics.mjs';
import { FORMS } from '../jobs/grammar.mjs';

export const paces = { full: { repetitions: 10 }, quick: { repetitions: 4 } };

const MEDIAN = 0.3;
const WORST = 3;
/** Milliseconds. */
const TARGETS = {
  token: { text: `<= ${MEDIAN}, worst <= ${WORST}`, isMet: ({ median, worst }) => median <= MEDIAN && worst <= WORST },
  /** First use of a schema with 50 properties. */
  firstUse: atMost(150),
  wrong: { text: '0', isMet: (measured) => measured === 0 },
};

const MODULE = join(import.meta.dirname, '../contestants/grammar.mjs');

/** Each form in its own process, so that the first use finds no compiled code. */
export async function measure({ pace }) {
  const forms = {};
  for (const form of Object.keys(FORMS)) {
    console.error(form);
    forms[form] = await onFreshStage('node', MODULE, async ({ call }) => {
      await call('open', 'quintet');
      return call('measureMasks', form, pace.repetitions);
    });
  }
  const tokens = (texts) => spreads(mapValues(forms, (measured) => measured[texts]));
  return {
    first: tokens('first'),
    later: tokens('later'),
    firstUse: mapValues(forms, ({ firstUse }) => firstUse),
    vocabularyTime: median(Object.values(forms).map(({ vocabularyTime }) => vocabularyTime)),
    checked: sum(forms, 'checked'),
    wrong: sum(forms, 'wrong'),
  };
}

/** The distribution of times, for each form and for all of them together. */
function spreads(times) {
  const all = { ...times, 'all of these': Object.values(times).flat() };
  return mapValues(all, (unsorted) => {
    const sorted = unsorted.toSorted((a, b) => a - b);
    const high = sorted[Math.floor(0.99 * (sorted.length - 1))];
    return { count: sorted.length, median: median(sorted), high, worst: sorted.at(-1) };
  });
}

const sum = (forms, key) => Object.values(forms).reduce((total, measured) => total + measured[key], 0);

export function sections({ first, later, firstUse, vocabularyTime, checked, wrong }) {
  const title = 'a token with its mask: milliseconds, median / 99 % / worst';
  return [
    { title: `Masks: first texts, ${title}`, lines: tokenLines(first) },
    { title: `Masks: later texts, ${title}`, lines: tokenLines(later) },
    {
      title: 'Masks: a grammar compiled, and its first mask: milliseconds in a new process',
      lines: Object.entries(firstUse).map(([form, time]) => figure(form, time, TARGETS.firstUse, time.toFixed(1))),
    },
    {
      title: 'Masks: a vocabulary of 151,936 tokens is taken: milliseconds in a new process',
      lines: [figure('median', vocabularyTime)],
    },
    {
      title: 'Masks: masks beside single tokens that are followed byte by byte',
      lines: [figure(`answers that differ, of ${checked}`, wrong, TARGETS.wrong, String(wrong))],
    },
  ];
}

const tokenLines = (spreads) =>
  Object.entries(spreads).map(([form, { count, median, high, worst }]) => ({
    what: `${form}, ${count} tokens`,
    quintet: `${median.toFixed(3)} / ${high.toFixed(2)} / ${worst.toFixed(2)}`,
    ...verdict(TARGETS.token, { median, worst }),
  }));
