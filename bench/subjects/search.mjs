// SearchIndex in Node 24: a million int8 vectors with one thread and with two, late interaction, and keyword search.
import { join } from 'node:path';

import { onFreshStage } from '../harness/environments.mjs';
import { atMost, faster, fasterAtBest, figure, less, MEGABYTE, verdict } from '../harness/lines.mjs';
import { summaries, summary } from '../harness/statistics.mjs';

export const peers = ['minisearch'];
export const paces = {
  full: { vectors: 1_000_000, searches: 80, passages: 100_000, late: 10_000 },
  quick: { vectors: 100_000, searches: 80, passages: 20_000, late: 2_000 },
};

const MODULE = join(import.meta.dirname, '../contestants/search.mjs');
const DIMENSION = 384;

/** For a million vectors. */
const TARGETS = { milliseconds: atMost(12), memory: atMost(1.1) };
const DIFFERENCES = atMost(0);

/** The shape of answerai-colbert-small; `milliseconds`: for 10,000 passages. */
const LATE = { dimension: 96, tokens: 80, queryTokens: 32, milliseconds: atMost(50) };

export async function measure({ pace: { vectors, searches, passages, late } }) {
  const results = { vectors: [], words: {}, late: {} };
  for (const threads of [1, 2]) {
    console.error(`vectors, ${threads} threads`);
    const options = { dimension: DIMENSION, storage: 'int8', threads };
    results.vectors.push(await inProcess('quintet', options, 'compareWithLoop', vectors, searches));
  }
  for (const storage of ['binary', 'int8']) {
    console.error(`vectors of tokens, ${storage}`);
    const { dimension, tokens, queryTokens } = LATE;
    const options = { dimension, storage };
    const args = [late, tokens, queryTokens, searches];
    results.late[storage] = await inProcess('quintet, tokens', options, 'compareWithLoop', ...args);
  }
  for (const library of ['quintet, words', 'MiniSearch']) {
    console.error(library);
    results.words[library] = await inProcess(library, {}, 'indexAndSearch', passages, searches);
  }
  return { ...results, vectors: results.vectors.map((each) => ({ ...each, times: summaries(each.times) })) };
}

/** In a separate process. */
const inProcess = (library, options, method, ...args) =>
  onFreshStage('node', MODULE, async ({ call }) => {
    await call('open', library, options);
    return call(method, ...args);
  });

export function sections({ vectors, words, late }, { pace }) {
  return [
    ...vectors.map((result) => ({
      title: `int8 search of ${pace.vectors} x ${DIMENSION}, ${result.threads} threads; the peer is plain JavaScript in one`,
      lines: vectorLines(result, pace.vectors >= 1e6),
    })),
    ...Object.entries(late).map(([storage, result]) => ({
      title: `late interaction, ${storage}: ${pace.late} passages of ${LATE.tokens} x ${LATE.dimension}, queries of ${LATE.queryTokens}; the peer is plain JavaScript`,
      lines: lateLines(result, storage === 'binary' && pace.late >= 10_000),
    })),
    {
      title: `keyword search of ${pace.passages} passages of 60 words; the peer is MiniSearch`,
      lines: wordLines(words['quintet, words'], words.MiniSearch),
    },
  ];
}

function vectorLines({ memory, times, differences, threads }, isWhole) {
  const target = threads > 1 && isWhole ? TARGETS.milliseconds : undefined;
  return [
    {
      ...fasterAtBest('milliseconds, best / median', times.quintet, times.peer),
      ...verdict(target, times.quintet.best),
    },
    // Node does not count shared memory; several threads need the same amount.
    ...(threads === 1
      ? [figure('memory beside that of the vectors', memory, isWhole ? TARGETS.memory : undefined, memory.toFixed(3))]
      : []),
    figure('answers that differ from exact ones', differences, DIFFERENCES, String(differences)),
  ];
}

function lateLines({ times, differences }, isJudged) {
  const [ours, peer] = [summary(times.quintet), summary(times.peer)];
  return [
    {
      ...fasterAtBest('milliseconds, best / median', ours, peer),
      ...verdict(isJudged ? LATE.milliseconds : undefined, ours.best),
    },
    figure('first answers that differ from exact ones', differences, DIFFERENCES, String(differences)),
  ];
}

function wordLines(ours, theirs) {
  return [
    faster('milliseconds of a search, best / median', summary(ours.times), summary(theirs.times)),
    less('seconds to index', ours.indexing / 1000, theirs.indexing / 1000),
    less('memory in MB', ours.memory / MEGABYTE, theirs.memory / MEGABYTE),
  ];
}
