import type { Embedder, ImageClassifier } from 'quintet';

import type { Contestant, Inputs, Job, Models } from './contestant.js';
import { classifyPicture, embedSentences, embedTokens, loadClassifier, loadEmbedder } from './quintet_jobs.js';
import { serve } from './stage.js';

const classifierFile = new URL('../../../build/web/comparison/classifier.bin', import.meta.url);

class Quintet implements Contestant {
  private constructor(
    readonly embedder: Embedder,
    private readonly classifier: ImageClassifier | undefined,
  ) {}

  static async open(threads: number, models: Models): Promise<Quintet> {
    const embedder = await loadEmbedder(threads);
    return new Quintet(embedder, models === 'all' ? await loadClassifier(classifierFile, threads) : undefined);
  }

  get runtime(): string {
    const { kernels, threads } = this.embedder.info.runtime!;
    return `${kernels}, threads: ${threads}`;
  }

  async run(job: Job, { tokens, sentences, pictures }: Inputs): Promise<Float32Array[]> {
    if (job === 'tokens') return [await embedTokens(this.embedder, tokens)];
    if (job === 'sentences') return embedSentences(this.embedder, sentences.texts);
    const logits = [];
    for (const picture of pictures) logits.push(await classifyPicture(this.classifier!, picture));
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
