// A draft model in a separate session, on the caller's side: both models may be in separate workers, and they exchange
// a few numbers for each pass.

import { inputError } from '../../base/errors.js';
import type { CallOptions } from '../../worker/calls.js';
import type { DraftQuestion, FinalQuestion, GeneratorBackend } from '../calls.js';
import type { DraftModel, GenerateOptions, Generation, Prompt, Session } from '../types.js';

/** Padding at the end of a vocabulary, in tokens. llama.cpp allows as much (common/speculative.cpp). */
const maxPadding = 128;

/** A session of this package: its prompts can replace its content. */
interface DraftSession extends Session {
  readonly backend: GeneratorBackend;
  generateAfter(prompt: Prompt, options: GenerateOptions, replace: boolean): Generation;
}

/** The models that are known to have the same tokens as a draft model. */
const known = new WeakMap<DraftModel, WeakSet<GeneratorBackend>>();

/**
 * Answers the requests of a generation for drafts, in a session that `end` closes.
 * @throws QuintetError INPUT for a model with other tokens; CLOSED
 */
export async function drafting(
  draft: DraftModel,
  target: GeneratorBackend,
): Promise<{ call: CallOptions; end: () => void }> {
  const session = draft.createSession() as DraftSession;
  const end = () => session.close();
  try {
    await checkSameTokens(draft, session.backend, target);
  } catch (error) {
    end();
    throw error;
  }
  const call: CallOptions = {
    async onQuestion(question: DraftQuestion | FinalQuestion) {
      if (question === 'heard') return undefined;
      const { ids, count } = question;
      if (ids.length + count > draft.contextLength) return new Int32Array();
      const options = { temperature: 0, maxTokens: count, promptLookup: false };
      await session.generateAfter(Array.from(ids), options, true).finished;
      return session.tokens.slice(ids.length);
    },
  };
  return { call, end };
}

/** Calls the hosts, not the models: their calls may wait for this one. */
async function checkSameTokens(draft: DraftModel, from: GeneratorBackend, target: GeneratorBackend): Promise<void> {
  const targets = known.get(draft) ?? new WeakSet();
  if (targets.has(target)) {
    // Whether it is closed.
    await from.call('tokenTexts', [new Int32Array()]);
    return;
  }
  const sizes = [target, from].map(({ description }) => description.info.tokenizer?.size ?? 0) as [number, number];
  const ids = Int32Array.from({ length: Math.min(...sizes) }, (_, id) => id);
  const [texts, others] = await Promise.all([target.call('tokenTexts', [ids]), from.call('tokenTexts', [ids])]);
  const at = texts.findIndex((text, id) => text !== others[id]);
  const differ = at < 0 ? `${sizes[0]} and ${sizes[1]} tokens` : `token ${at} is '${texts[at]}' and '${others[at]}'`;
  if (at >= 0 || Math.abs(sizes[0] - sizes[1]) > maxPadding)
    throw inputError('mismatch', `generate: option 'draft' needs a model with the same tokens: ${differ}`);
  known.set(draft, targets.add(target));
}
