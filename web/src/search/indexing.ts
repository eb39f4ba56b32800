import type { Embedder } from 'quintet';

import type { CorpusInfo, Library } from './library/protocol.js';
import { embedTexts } from './semantic_search.js';

/** Roughly how long a batch may take: a question that is asked in the meantime waits until it ends. */
const batchMilliseconds = 80;
const most = 32;

/** Embeds the waiting texts of the library, batch by batch, until all are indexed or `signal` fires. */
export async function indexAll(
  library: Library,
  model: Embedder,
  { signal, onProgress }: { signal: AbortSignal; onProgress(corpus: CorpusInfo): void },
): Promise<void> {
  for (let size = 4; ; ) {
    const texts = await library.next(size);
    if (texts.length === 0) return;
    const begin = performance.now();
    const vectors = await embedTexts(model, texts, signal);
    size = nextSize(texts.length, performance.now() - begin);
    signal.throwIfAborted();
    onProgress(await library.add(vectors));
    signal.throwIfAborted();
  }
}

/** Grows slowly, since the next texts may be longer. */
const nextSize = (size: number, took: number): number =>
  Math.max(1, Math.min(most, 2 * size, Math.floor((size * batchMilliseconds) / Math.max(1, took))));
