import { QuintetError } from '../../base/errors.js';
import { type Session, TextGenerator } from '../../index.js';
import { modelSource } from '../output/sources.js';
import { type BenchKind, type MeasuredAnswer, spreadIds } from './subject.js';
import { type TimedRun, timed } from './timing.js';

/** Tokens, if the context has room for them. */
export const PROMPT_TOKENS = 128;
export const GENERATED_TOKENS = 32;

export const generatorBench: BenchKind = {
  name: 'generator',
  columns: [
    ['task', 'task'],
    ['tokens', 'tokens'],
    ['ms', 'ms'],
    ['tokens/s', 'tokensPerSecond'],
  ],
  async load(model, engine) {
    const generator = await TextGenerator.load(modelSource(model), { ...engine });
    return {
      kernels: generator.info.runtime?.kernels ?? engine.variant,
      measure: () => measureTasks(generator),
      close: () => generator.close(),
    };
  },
};

/** Reads a prompt and generates greedily. */
async function measureTasks(generator: TextGenerator): Promise<MeasuredAnswer[]> {
  const prompt = spreadIds(Math.min(PROMPT_TOKENS, generator.contextLength >> 1), generator.info.tokenizer?.size ?? 1);
  const logits = await generator.logits(prompt);
  const session = generator.createSession();
  const { ms, answer: ids } = await timed(() => generate(session, prompt));
  session.close();
  if (logits[ids[0]!] !== logits.reduce((a, b) => Math.max(a, b))) throw notGreedy();
  return [measured('prompt', prompt.length, ms[0]!, logits), measured('generate', ids.length, ms[1]!, logits)];
}

/** The answer is the ids. The session starts empty, so that the whole prompt is computed every time. */
async function generate(session: Session, prompt: readonly number[]): Promise<TimedRun> {
  session.rewind(0);
  const generation = session.generate(prompt, { temperature: 0, maxTokens: GENERATED_TOKENS });
  const ids: number[] = [];
  for await (const { id } of generation) if (id >= 0) ids.push(id);
  const { prefillMs, decodeMs } = await generation.finished;
  return { ms: [prefillMs, decodeMs], answer: Float32Array.from(ids) };
}

function measured(task: string, tokens: number, ms: number, answer: Float32Array): MeasuredAnswer {
  return { measurement: { task, tokens, ms, tokensPerSecond: (1000 * tokens) / ms }, answer };
}

function notGreedy(): QuintetError {
  return new QuintetError('INTERNAL', 'the first token is not the most probable one', { reason: 'mismatch' });
}
