// One side of the comparison, in its own worker. The page decides what to measure and when: the libraries take turns,
// so a slow moment of the machine affects both alike.
import type { Contestant, Inputs, Job, Models, Opened } from './contestant.js';

export interface Calls {
  open(threads: number, models: Models): Promise<Opened>;
  setInputs(inputs: Inputs): void;
  answers(job: Job): Promise<Float32Array[]>;
  measure(job: Job, duration: number): Promise<number[]>;
  tokenize(texts: string[]): Promise<number[][]>;
}

export type Method = keyof Calls;
export interface Request {
  method: Method;
  args: unknown[];
}
export type Reply = { result: unknown } | { error: string };

/** The functions that a library's worker provides. */
export interface Side {
  open(threads: number, models: Models): Promise<Contestant>;
  tokenize?(texts: string[]): Promise<number[][]>;
}

/** Answers the calls of the page one after another. */
export function serve(side: Side): void {
  const calls = callsOf(side);
  addEventListener('message', ({ data }: MessageEvent<Request>) => {
    const call = calls[data.method] as (...args: unknown[]) => unknown;
    Promise.resolve()
      .then(() => call(...data.args))
      .then(
        (result): Reply => ({ result }),
        (error): Reply => ({ error: error instanceof Error ? error.message : String(error) }),
      )
      .then((reply) => postMessage(reply));
  });
}

function callsOf(side: Side): Calls {
  let contestant: Contestant | undefined;
  let inputs: Inputs | undefined;
  return {
    async open(threads, models) {
      contestant = await side.open(threads, models);
      return { runtime: contestant.runtime };
    },
    setInputs(given) {
      inputs = given;
    },
    answers: (job) => contestant!.answers(job, inputs!),
    /**
     * Milliseconds of each run: all that fit into `duration`, but at least one. A first run warms the caches and does
     * not count.
     */
    async measure(job, duration) {
      await contestant!.run(job, inputs!);
      const samples: number[] = [];
      const end = performance.now() + duration;
      do {
        const begin = performance.now();
        await contestant!.run(job, inputs!);
        samples.push(performance.now() - begin);
      } while (performance.now() < end);
      return samples;
    },
    tokenize: (texts) => side.tokenize!(texts),
  };
}
