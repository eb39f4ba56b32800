import { Embedder } from '../../index.js';
import { modelSource } from '../output/sources.js';
import { type BenchKind, type MeasuredAnswer, spreadIds } from './subject.js';
import { timed, timedCall } from './timing.js';

/** Tokens per text. */
export const TEXT_LENGTHS = [16, 64, 128, 256];

export const embedderBench: BenchKind = {
  name: 'embedder',
  columns: [
    ['tokens', 'tokens'],
    ['ms', 'ms'],
    ['texts/s', 'textsPerSecond'],
    ['tokens/s', 'tokensPerSecond'],
  ],
  async load(model, engine) {
    const embedder = await Embedder.load(modelSource(model), { ...engine });
    return {
      kernels: embedder.info.runtime?.kernels ?? engine.variant,
      async measure() {
        const measured: MeasuredAnswer[] = [];
        for (const tokens of TEXT_LENGTHS.filter((length) => length <= embedder.maxLength)) {
          measured.push(await measureText(embedder, tokens));
        }
        return measured;
      },
      close: () => embedder.close(),
    };
  },
};

/** One text at a time. */
async function measureText(embedder: Embedder, tokens: number): Promise<MeasuredAnswer> {
  const ids = spreadIds(tokens, embedder.info.tokenizer?.size ?? 1);
  const { ms, answer } = await timed(() => timedCall(() => embedder.embedIds(ids)));
  const textsPerSecond = 1000 / ms[0]!;
  return { measurement: { tokens, ms: ms[0]!, textsPerSecond, tokensPerSecond: tokens * textsPerSecond }, answer };
}
