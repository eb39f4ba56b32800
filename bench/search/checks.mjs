// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }.
import { summary } from '../shared/statistics.mjs';

const shown = (samples) => {
  const { best, median } = summary(samples);
  return `${best.toFixed(2)} / ${median.toFixed(2)}`;
};
const best = (samples) => summary(samples).best;

/** The targets are for a million vectors of 384 dimensions. */
export function vectorChecks({ memory, times, differences, threads }, vectors) {
  const isWhole = vectors >= 1e6;
  const section = `int8 search of ${vectors} x 384, ${threads} threads; the peer is plain JavaScript in one`;
  const limit = threads > 1 && isWhole;
  return [
    {
      section,
      what: 'milliseconds, best / median',
      quintet: shown(times.quintet),
      peer: shown(times.peer),
      ratio: best(times.peer) / best(times.quintet),
      ...(limit && { target: '<= 12', met: best(times.quintet) <= 12 }),
    },
    // What is shared is not counted by Node; several threads take the same.
    ...(threads === 1 ? [{
      section,
      what: 'memory beside that of the vectors',
      quintet: memory.toFixed(3),
      ...(isWhole && { target: '<= 1.1', met: memory <= 1.1 }),
    }] : []),
    { section, what: 'answers that differ from exact ones', quintet: String(differences), target: '0', met: differences === 0 },
  ];
}

export function keywordChecks({ quintet, minisearch }, passages) {
  const section = `keyword search of ${passages} passages of 60 words; the peer is MiniSearch`;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  return [
    {
      section,
      what: 'milliseconds of a search, best / median',
      quintet: shown(quintet.times),
      peer: shown(minisearch.times),
      ratio: summary(minisearch.times).median / summary(quintet.times).median,
    },
    {
      section,
      what: 'seconds to index',
      quintet: (quintet.indexing / 1000).toFixed(2),
      peer: (minisearch.indexing / 1000).toFixed(2),
      ratio: minisearch.indexing / quintet.indexing,
    },
    {
      section,
      what: 'memory in MB',
      quintet: megabytes(quintet.memory),
      peer: megabytes(minisearch.memory),
      ratio: minisearch.memory / quintet.memory,
    },
  ];
}
