// The jobs of both libraries, each in its own worker.

export type Library = 'quintet' | 'onnxruntime-web';
export const LIBRARIES: readonly Library[] = ['quintet', 'onnxruntime-web'];

export type Job = 'tokens' | 'sentences' | 'pictures';

/** The inputs of both libraries. Sentences also come as token ids: onnxruntime-web has no tokenizer. */
export interface Inputs {
  tokens: number[];
  sentences: { texts: string[]; ids: number[][] };
  /** Each [3][32][32], normalised. */
  pictures: Float32Array[];
}

export interface Opened {
  /** The runtime: version, kernels, threads. */
  runtime: string;
}

export interface Contestant extends Opened {
  /** Runs the job once, as a user of the library would. */
  run(job: Job, inputs: Inputs): Promise<unknown>;
  /** Unit vectors, or logits. */
  answers(job: Job, inputs: Inputs): Promise<Float32Array[]>;
}

/** The models to load: a cold start needs only one. */
export type Models = 'embedder' | 'all';
