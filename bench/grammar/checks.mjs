// Turns what was measured into lines of a table: { section, what, quintet, target, met }.
import { median } from '../shared/statistics.mjs';

const MEDIAN = 0.3;
const WORST = 3;
const FIRST_USE = 150;

/** What quintet is to reach with masks, in milliseconds. */
const TARGETS = {
  token: { text: `<= ${MEDIAN}, worst <= ${WORST}`, isMet: ({ median, worst }) => median <= MEDIAN && worst <= WORST },
  /** Of a schema with 50 properties. */
  firstUse: { text: `<= ${FIRST_USE}`, isMet: (measured) => measured <= FIRST_USE },
  wrong: { text: '0', isMet: (measured) => measured === 0 },
};

export function checksOf(results) {
  const checked = results.reduce((sum, each) => sum + each.checked, 0);
  const wrong = results.reduce((sum, each) => sum + each.wrong, 0);
  return [
    ...tokenChecks('first texts', results.map(({ form, first }) => ({ form, times: first }))),
    ...tokenChecks('later texts', results.map(({ form, later }) => ({ form, times: later }))),
    ...results.map(({ form, firstUse }) => ({
      section: 'a grammar compiled, and its first mask: milliseconds in a new process',
      what: form,
      quintet: firstUse.toFixed(1),
      ...verdict(TARGETS.firstUse, firstUse),
    })),
    {
      section: 'a vocabulary of 151,936 tokens is taken: milliseconds in a new process',
      what: 'median',
      quintet: median(results.map(({ vocabularyTime }) => vocabularyTime)).toFixed(0),
    },
    {
      section: 'masks beside single tokens that are followed byte by byte',
      what: `answers that differ, of ${checked}`,
      quintet: String(wrong),
      ...verdict(TARGETS.wrong, wrong),
    },
  ];
}

/** `samples`: { form, times } each. */
function tokenChecks(texts, samples) {
  const all = { form: 'all of these', times: samples.flatMap(({ times }) => times) };
  return [...samples, all].map(({ form, times }) => {
    const sorted = [...times].sort((a, b) => a - b);
    const measured = { median: median(sorted), high: sorted[Math.floor(0.99 * (sorted.length - 1))], worst: sorted.at(-1) };
    return {
      section: `${texts}, a token with its mask: milliseconds, median / 99 % / worst`,
      what: `${form}, ${sorted.length} tokens`,
      quintet: `${measured.median.toFixed(3)} / ${measured.high.toFixed(2)} / ${measured.worst.toFixed(2)}`,
      ...verdict(TARGETS.token, measured),
    };
  });
}

const verdict = (target, measured) => ({ target: target.text, met: target.isMet(measured) });
