// Turns what was measured into lines of a table: { section, what, quintet, peer, ratio, target, met }.
import { median } from '../shared/statistics.mjs';

// By the best of each: what else runs on the machine takes from two workers more than from one.
const best = (rounds) => Math.min(...rounds.map(({ seconds }) => seconds));

/** @param {Record<'direct' | 'one' | 'two', { seconds: number, digest: string }[]>} rounds */
export function throughputChecks({ direct, one, two }, passages) {
  const rate = (rounds) => `${(passages / best(rounds)).toFixed(1)} / ${(passages / median(rounds.map((r) => r.seconds))).toFixed(1)}`;
  const section = 'throughput: passages a second, best / median';
  const gain = best(one) / best(two);
  const overhead = best(direct) / best(one);
  const digests = new Set([direct, one, two].flat().map(({ digest }) => digest));
  return [
    { section, what: 'two workers beside one', quintet: rate(two), peer: rate(one), ratio: gain, target: '>= 1.85', met: gain >= 1.85 },
    { section, what: 'the queue beside no queue', quintet: rate(one), peer: rate(direct), ratio: overhead, target: '>= 0.97', met: overhead >= 0.97 },
    { section, what: 'the same shards in all runs', quintet: digests.size === 1 ? 'yes' : 'no', target: 'yes', met: digests.size === 1 },
  ];
}

const leeway = 64e6;

/** @param {{ lines: number, producer: number, collector: number }[]} sizes peak memory in bytes, by corpora that grow */
export function memoryChecks(sizes) {
  const [least] = sizes;
  return sizes.flatMap(({ lines, ...programs }) =>
    Object.entries(programs).map(([program, bytes]) => ({
      section: 'peak memory, beside that for the smallest corpus, MB',
      what: `${program}, ${lines} lines`,
      quintet: megabytes(bytes),
      peer: megabytes(least[program]),
      // Node's heap takes room where there is some; a million vectors and their places would be 300 MB and more.
      target: `< ${megabytes(least[program] + leeway)}`,
      met: bytes < least[program] + leeway,
    })),
  );
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
