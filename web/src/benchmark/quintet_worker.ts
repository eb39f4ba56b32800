import { Embedder, ImageClassifier } from 'quintet';
import { classifier as classifierFile, embedder as embedderFile } from 'quintet-models';

import type { Contestant, Inputs, Job, Models } from './contestant.js';
import { serve } from './stage.js';

const CHANNELS = 3;
const SIDE = 32;

class Quintet implements Contestant {
  private constructor(
    readonly embedder: Embedder,
    private readonly classifier: ImageClassifier | undefined,
  ) {}

  static async open(threads: number, models: Models): Promise<Quintet> {
    // This is a worker already.
    const options = { threads, worker: false };
    const embedder = await Embedder.load(embedderFile, options);
    return new Quintet(embedder, models === 'all' ? await ImageClassifier.load(classifierFile, options) : undefined);
  }

  get runtime(): string {
    const { kernels, threads } = this.embedder.info.runtime!;
    return `${kernels}, ${threads} of threads`;
  }

  async run(job: Job, { tokens, sentences, pictures }: Inputs): Promise<Float32Array[]> {
    if (job === 'tokens') return [await this.embedder.embedIds(tokens)];
    if (job === 'sentences') return this.embedder.embed(sentences.texts);
    const logits = [];
    for (const picture of pictures) logits.push(await this.classifier!.logits(picture, [CHANNELS, SIDE, SIDE]));
    return logits;
  }

  answers(job: Job, inputs: Inputs): Promise<Float32Array[]> {
    return this.run(job, inputs);
  }
}

let opened: Quintet | undefined;
serve({
  open: async (threads, models) => (opened = await Quintet.open(threads, models)),
  tokenize: (texts) => Promise.all(texts.map(async (text) => [...(await opened!.embedder.tokenize(text))])),
});
