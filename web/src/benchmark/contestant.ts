// What both libraries are asked for, each in a worker of its own.

export type Library = 'quintet' | 'onnxruntime-web';
export const LIBRARIES: readonly Library[] = ['quintet', 'onnxruntime-web'];

export type Job = 'tokens' | 'sentences' | 'pictures';

/** The same for both. Sentences are there as ids too: onnxruntime-web knows no words. */
export interface Inputs {
  tokens: number[];
  sentences: { texts: string[]; ids: number[][] };
  /** Each [3][32][32], normalised. */
  pictures: Float32Array[];
}

export interface Opened {
  /** How it runs: kernels, threads. */
  runtime: string;
}

export interface Contestant extends Opened {
  /** Once, as a user of the library would call it. */
  run(job: Job, inputs: Inputs): Promise<unknown>;
  /** Vectors of length 1, or logits. */
  answers(job: Job, inputs: Inputs): Promise<Float32Array[]>;
}

/** Picks of the models, so that a cold start loads no more than it needs. */
export type Models = 'embedder' | 'all';
