// Measures one model with every build of the engine, and compares their answers.
import type { BenchedModel } from './kinds.js';
import type { EngineSettings, Measurement } from './subject.js';

/** Below this cosine two engines do not agree. Rounding in other places costs far less. */
export const LEAST_COSINE = 0.99;

export interface EngineReport extends EngineSettings {
  kernels: string;
  loadMs: number;
  measurements: Measurement[];
}

export interface ModelReport {
  model: string;
  kind: BenchedModel['kind']['name'];
  engines: EngineReport[];
  /** The lowest cosine of an answer with that of the first engine. */
  worstCosine: number;
  passed: boolean;
}

export async function benchModel(
  { path, kind }: BenchedModel,
  engines: readonly EngineSettings[],
  onEngine: () => void,
): Promise<ModelReport> {
  const reports: EngineReport[] = [];
  let expected: Float32Array[] | undefined;
  let worstCosine = 1;
  for (const engine of engines) {
    const started = performance.now();
    const subject = await kind.load(path, engine);
    const loadMs = performance.now() - started;
    try {
      const measured = await subject.measure();
      const answers = measured.map(({ answer }) => answer);
      expected ??= answers;
      worstCosine = lowest([worstCosine, ...answers.map((answer, i) => cosine(answer, expected![i]!))]);
      const measurements = measured.map(({ measurement }) => measurement);
      reports.push({ ...engine, kernels: subject.kernels, loadMs, measurements });
    } finally {
      subject.close();
    }
    onEngine();
  }
  return { model: path, kind: kind.name, engines: reports, worstCosine, passed: worstCosine >= LEAST_COSINE };
}

/** NaN if there is one. */
function lowest(values: number[]): number {
  return Math.min(...values);
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    squaresA += a[i]! ** 2;
    squaresB += b[i]! ** 2;
  }
  return dot / Math.sqrt(squaresA * squaresB);
}
