// Workers that start workers: a bundler makes a bundle for each that it finds in another, and never ends, or gives up,
// where that goes round in a circle.
import { readFileSync } from 'node:fs';
import { findCycle } from '../layering/cycle.mjs';
import { root } from './packed.mjs';

const textOf = (script) => readFileSync(`${root}dist/${script}`, 'utf8');
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

/** Workers that a script may start, by itself or through its imports. */
function startedBy(script) {
  const scripts = new Set([script]);
  const started = new Set();
  for (const name of scripts) {
    const text = textOf(name);
    namesIn(text, /(?:from|import\(|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g).forEach((imported) =>
      scripts.add(imported),
    );
    namesIn(text, /new Worker\(new URL\(["'`]\.\/([\w-]+\.js)["'`]/g).forEach((worker) => started.add(worker));
  }
  return [...started];
}

test('the graph of workers has no cycles', () => {
  const graph = {};
  const scripts = new Set(['index.js']);
  for (const script of scripts) {
    graph[script] = startedBy(script);
    graph[script].forEach((worker) => scripts.add(worker));
  }
  expect(Object.keys(graph)).toEqual(
    expect.arrayContaining([
      'embedder_worker.js',
      'reranker_worker.js',
      'labeler_worker.js',
      'generator_worker.js',
      'classifier_worker.js',
      'image_embedder_worker.js',
      'files_worker.js',
      'compute_thread.js',
    ]),
  );
  expect(findCycle(graph)?.join(' -> ')).toBeUndefined();
});
