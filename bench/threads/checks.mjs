// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }.

/** How much faster two threads are to be, where the work is in matrices and not in reading memory. */
const TARGET = 1.7;

export function checksOf(jobs, threads) {
  const section = (text) => `${threads} threads ${text}: best / median`;
  return [
    ...jobs.map(({ name, unit, alone, several }) => {
      const ratio = gain(unit, alone, several);
      const judged = threads === 2 && !name.endsWith('decode');
      return {
        section: section('beside one'),
        what: `${name}, ${unit}`,
        quintet: text(several),
        peer: text(alone),
        ratio,
        ...(judged ? { target: `>= ${TARGET}`, met: ratio >= TARGET } : {}),
      };
    }),
    ...jobs.filter(({ peer }) => peer).map(({ name, unit, several, peer }) => ({
      section: section('beside onnxruntime-web'),
      what: `${name}, ${unit}`,
      quintet: text(several),
      peer: text(peer),
      ratio: gain(unit, peer, several),
    })),
    ...jobs.map(({ name, same }) => ({
      section: 'answers: the same bits as in one thread',
      what: name,
      quintet: same ? 'yes' : 'no',
      target: 'yes',
      met: same,
    })),
  ];
}

/** By the best of each: what else runs on the machine takes from two threads more than from one. */
const gain = (unit, before, after) => (unit === 'ms' ? before.best / after.best : after.best / before.best);

const text = ({ best, median }) => `${best.toFixed(1)} / ${median.toFixed(1)}`;
