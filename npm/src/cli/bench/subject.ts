// A model of one kind, loaded with one build of the engine: the unit that `bench` measures.

export type Variant = 'baseline' | 'relaxed';

export interface EngineSettings {
  variant: Variant;
  threads: number;
}

/** `ms` is the median time of one text, prompt, generation or image. */
export interface Measurement {
  ms: number;
  [figure: string]: number | string;
}

export interface MeasuredAnswer {
  measurement: Measurement;
  /** The result: close to the same in every engine. */
  answer: Float32Array;
}

export interface BenchSubject {
  kernels: string;
  measure(): Promise<MeasuredAnswer[]>;
  close(): void;
}

/** Measures and shows models of one kind. */
export interface BenchKind {
  name: 'embedder' | 'generator' | 'classifier';
  /** Title and figure of each column of the table. */
  columns: readonly (readonly [title: string, figure: string])[];
  load(model: string, engine: EngineSettings): Promise<BenchSubject>;
}

/** Token ids spread over the vocabulary, the same every time. */
export function spreadIds(count: number, vocabulary: number): number[] {
  return Array.from({ length: count }, (_, i) => ((i + 1) * 7919) % vocabulary);
}
