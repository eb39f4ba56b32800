// Runs the comparison: which library runs which job, when, and for how long.
import type { Agreement } from './agreement.js';
import { compare } from './agreement.js';
import type { Inputs, Job, Library } from './contestant.js';
import { LIBRARIES } from './contestant.js';
import { prepareInputs } from './inputs.js';
import { Stage } from './stage_client.js';
import { median } from './statistics.js';

export const JOBS: readonly Job[] = ['tokens', 'sentences', 'pictures'];

/** Milliseconds by library. */
export type Times = Record<Library, number>;

export interface Result {
  what: Job | 'start';
  threads: number;
  agreement: Agreement;
  /** Medians. Absent where the answers differ. */
  times?: Times;
  runs?: Record<Library, number>;
}

export interface Effort {
  starts: number;
  rounds: number;
  /** Milliseconds of each library's turn in a round. */
  turn: number;
}

export interface Plan {
  effort: Effort;
  threadCounts: readonly number[];
  signal: AbortSignal;
  onStep(words: string, done: number, total: number): void;
  onResult(result: Result): void;
}

type Sides = Record<Library, Stage>;

/** Measures everything and returns how each library runs, in its own words. */
export async function runComparison(plan: Plan): Promise<Record<Library, string>> {
  const { threadCounts, signal, onResult } = plan;
  const total = 1 + threadCounts.length * (1 + JOBS.length);
  let done = 0;
  const step = (words: string) => plan.onStep(words, done++, total);
  let runtime: Record<Library, string> | undefined;
  let inputs: Inputs | undefined;
  for (const threads of threadCounts) {
    const sides = Object.fromEntries(LIBRARIES.map((library) => [library, new Stage(library, signal)])) as Sides;
    try {
      step(`Loading both libraries, ${threadWords(threads)}`);
      runtime = await each(async (library) => (await sides[library].call('open', threads, 'all')).runtime);
      const given = (inputs ??= await prepareInputs(sides.quintet));
      await each((library) => sides[library].call('setInputs', given));
      for (const job of JOBS) {
        step(`${jobWords[job]}, ${threadWords(threads)}`);
        onResult(await measureJob(job, threads, sides, plan.effort));
      }
    } finally {
      for (const side of Object.values(sides)) side.close();
    }
  }
  step(jobWords.start);
  onResult(await measureStarts(inputs!, plan));
  return runtime!;
}

async function measureJob(job: Job, threads: number, sides: Sides, { rounds, turn }: Effort): Promise<Result> {
  const answers = await each((library) => sides[library].call('answers', job));
  const agreement = compare(job, answers.quintet, answers['onnxruntime-web']);
  if (!agreement.agrees) return { what: job, threads, agreement };
  const samples: Record<Library, number[]> = { quintet: [], 'onnxruntime-web': [] };
  // Engines optimize hot code while it runs, so the first round does not count.
  for (let round = -1; round < rounds; round++) {
    await each(async (library) => {
      const measured = await sides[library].call('measure', job, turn);
      if (round >= 0) samples[library].push(...measured);
    });
  }
  return { what: job, threads, agreement, ...summaryOf(samples) };
}

/** The time from a new worker to the first vector. The files are in the browser's cache by then. */
async function measureStarts(inputs: Inputs, { effort, signal }: Plan): Promise<Result> {
  const samples: Record<Library, number[]> = { quintet: [], 'onnxruntime-web': [] };
  const vectors: Partial<Record<Library, Float32Array[]>> = {};
  for (let round = 0; round < effort.starts; round++) {
    await each(async (library) => {
      const begin = performance.now();
      const stage = new Stage(library, signal);
      try {
        await stage.call('open', 1, 'embedder');
        await stage.call('setInputs', inputs);
        vectors[library] = await stage.call('answers', 'tokens');
        samples[library].push(performance.now() - begin);
      } finally {
        stage.close();
      }
    });
  }
  const agreement = compare('tokens', vectors.quintet!, vectors['onnxruntime-web']!);
  return { what: 'start', threads: 1, agreement, ...(agreement.agrees ? summaryOf(samples) : {}) };
}

function summaryOf(samples: Record<Library, number[]>): Pick<Required<Result>, 'times' | 'runs'> {
  const of = (summary: (values: number[]) => number) =>
    Object.fromEntries(LIBRARIES.map((library) => [library, summary(samples[library])])) as Times;
  return { times: of(median), runs: of((values) => values.length) };
}

/** One library after the other, never both at the same time. */
async function each<Value>(task: (library: Library) => Promise<Value>): Promise<Record<Library, Value>> {
  const values: Partial<Record<Library, Value>> = {};
  for (const library of LIBRARIES) values[library] = await task(library);
  return values as Record<Library, Value>;
}

export const threadWords = (threads: number): string => (threads === 1 ? '1 thread' : `${threads} threads`);

export const jobWords: Record<Result['what'], string> = {
  tokens: 'A passage of 128 tokens',
  sentences: '20 questions',
  pictures: '10 pictures',
  start: 'Cold start to the first vector',
};
