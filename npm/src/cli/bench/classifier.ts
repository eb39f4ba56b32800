import { ImageClassifier } from '../../index.js';
import { modelSource } from '../output/sources.js';
import type { BenchKind } from './subject.js';
import { timed, timedCall } from './timing.js';

const CHANNELS = 3;

export const classifierBench: BenchKind = {
  name: 'classifier',
  columns: [
    ['image', 'image'],
    ['ms', 'ms'],
    ['images/s', 'imagesPerSecond'],
  ],
  async load(model, engine) {
    const classifier = await ImageClassifier.load(modelSource(model), { ...engine });
    return {
      kernels: classifier.info.runtime?.kernels ?? engine.variant,
      /** One prepared image at a time: decoding and scaling are not measured. */
      async measure() {
        const { inputSize: size } = classifier;
        const input = pattern(size);
        const { ms, answer } = await timed(() => timedCall(() => classifier.logits(input, [CHANNELS, size, size])));
        return [{ measurement: { image: `${size}x${size}`, ms: ms[0]!, imagesPerSecond: 1000 / ms[0]! }, answer }];
      },
      close: () => classifier.close(),
    };
  },
};

/** Waves, as prepared images have values around zero. */
function pattern(size: number): Float32Array {
  return Float32Array.from({ length: CHANNELS * size * size }, (_, i) => Math.sin(0.37 * i) + Math.cos(0.011 * i));
}
