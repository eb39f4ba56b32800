// Which tokens keep a text to a grammar: the time of a mask, in Node 24.
import { join } from 'node:path';

import { onFreshStage } from '../harness/environments.mjs';
import { atMost, figure, verdict } from '../harness/lines.mjs';
import { mapValues, median } from '../harness/statistics.mjs';
import { FORMS } from '../jobs/grammar_forms.mjs';

export const paces = { full: { repetitions: 10 }, quick: { repetitions: 4 } };

const MEDIAN = 0.3;
const WORST = 3;
/** Milliseconds. */
const TARGETS = {
  token: { text: `<= ${MEDIAN}, worst <= ${WORST}`, isMet: ({ median, worst }) => median <= MEDIAN && worst <= WORST },
  /** Of a schema with 50 properties. */
  firstUse: atMost(150),
  wrong: { text: '0', isMet: (measured) => measured === 0 },
};

const MODULE = join(import.meta.dirname, '../contestants/grammar.mjs');

/** Each form in a process of its own, so that the first use finds no compiled code. */
export async function measure({ pace }) {
  const forms = {};
  for (const form of Object.keys(FORMS)) {
    console.error(form);
    const measured = await onFreshStage('node', MODULE, async ({ call }) => {
      await call('open', 'quintet');
      return call('measureMasks', form, pace.repetitions);
    });
    forms[form] = { ...measured, first: sorted(measured.first), later: sorted(measured.later) };
  }
  return forms;
}

const sorted = (times) => times.toSorted((a, b) => a - b);

export function sections(forms) {
  const all = Object.values(forms);
  const sum = (key) => all.reduce((total, each) => total + each[key], 0);
  const firstUses = mapValues(forms, ({ firstUse }) => firstUse);
  const wrong = sum('wrong');
  return [
    {
      title: 'Masks: first texts, a token with its mask: milliseconds, median / 99 % / worst',
      lines: tokenLines(forms, 'first'),
    },
    {
      title: 'Masks: later texts, a token with its mask: milliseconds, median / 99 % / worst',
      lines: tokenLines(forms, 'later'),
    },
    {
      title: 'Masks: a grammar compiled, and its first mask: milliseconds in a new process',
      lines: Object.entries(firstUses).map(([form, time]) => figure(form, time, TARGETS.firstUse, time.toFixed(1))),
    },
    {
      title: 'Masks: a vocabulary of 151,936 tokens is taken: milliseconds in a new process',
      lines: [figure('median', median(all.map(({ vocabularyTime }) => vocabularyTime)))],
    },
    {
      title: 'Masks: masks beside single tokens that are followed byte by byte',
      lines: [figure(`answers that differ, of ${sum('checked')}`, wrong, TARGETS.wrong, String(wrong))],
    },
  ];
}

function tokenLines(forms, texts) {
  const samples = mapValues(forms, (measured) => measured[texts]);
  const together = { ...samples, 'all of these': sorted(Object.values(samples).flat()) };
  return Object.entries(together).map(([form, all]) => {
    const times = { median: median(all), high: all[Math.floor(0.99 * (all.length - 1))], worst: all.at(-1) };
    return {
      what: `${form}, ${all.length} tokens`,
      quintet: `${times.median.toFixed(3)} / ${times.high.toFixed(2)} / ${times.worst.toFixed(2)}`,
      ...verdict(TARGETS.token, times),
    };
  });
}
