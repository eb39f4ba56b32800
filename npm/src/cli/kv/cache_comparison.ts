// The loss when a model's context is loaded from a compressed file: the same windows of a text are scored after the
// context as computed, and after the context saved and loaded.
import type { SaveCacheOptions, Session, TextGenerator } from '../../index.js';
import { readSafetensors } from '../../safetensors/index.js';
import type { ScoringWindow } from './scoring_windows.js';

export interface CacheComparison {
  /** After the loaded contexts. */
  perplexity: number;
  /** After the computed contexts. */
  reference: number;
  /** Scored in each of the two. */
  tokens: number;
  /** Values that share a scale; null if the file is not INT4. */
  groupSize: number | null;
  /** Bytes of keys and values in F16, divided by their bytes in the file. */
  ratioToF16: number;
}

/** There is at least one window, and contexts have at least two tokens. `onTokens` gets the tokens scored in both. */
export async function compareCaches(
  generator: TextGenerator,
  windows: readonly ScoringWindow[],
  save: SaveCacheOptions,
  onTokens: (done: number) => void,
): Promise<CacheComparison> {
  const plain = new ScoredSession(generator);
  const compressed = new ScoredSession(generator);
  const onStep = () => onTokens(plain.tokens + compressed.tokens);
  let file: Uint8Array = new Uint8Array();
  for (const { context, targets } of windows) {
    // The last token of the context is not in the file: the first prediction after a loaded cache is made from it.
    const last = context.slice(-1);
    plain.session.rewind(0);
    await hold(plain.session, context.slice(0, -1));
    file = await plain.session.saveCache(save);
    await compressed.session.loadCache(file);
    await plain.score(last, targets, onStep);
    await compressed.score(last, targets, onStep);
  }
  return {
    perplexity: compressed.perplexity,
    reference: plain.perplexity,
    tokens: plain.tokens,
    ...(await storageOf(file)),
  };
}

class ScoredSession {
  readonly session: Session;
  tokens = 0;
  private sum = 0; // of -ln p

  constructor(generator: TextGenerator) {
    this.session = generator.createSession();
  }

  get perplexity(): number {
    return Math.exp(this.sum / this.tokens);
  }

  async score(last: readonly number[], targets: readonly number[], onStep: () => void): Promise<void> {
    await hold(this.session, last);
    const { perplexity, tokens } = await this.session.perplexity(targets);
    this.sum += tokens * Math.log(perplexity);
    this.tokens += tokens;
    onStep();
  }
}

/** Appends ids, and no generated tokens. */
async function hold(session: Session, ids: readonly number[]): Promise<void> {
  const length = session.length + ids.length;
  await session.generate(ids, { maxTokens: 1, temperature: 0 }).finished;
  session.rewind(length);
}

async function storageOf(file: Uint8Array): Promise<Pick<CacheComparison, 'groupSize' | 'ratioToF16'>> {
  const { tensors, metadata } = await readSafetensors(file);
  let bytes = 0;
  let values = 0;
  for (const [name, { dtype, data }] of tensors) {
    if (!/^layer_\d+_(key|value)/.test(name)) continue;
    bytes += data.byteLength;
    // Two packed values share a byte.
    if (!name.endsWith('.scale')) values += dtype === 'U8' ? 2 * data.length : data.length;
  }
  const group = metadata['group_size'];
  return { groupSize: group === undefined ? null : Number(group), ratioToF16: (2 * values) / bytes };
}
