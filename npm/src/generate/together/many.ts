// Several prompts at once, each in its own session: generator.generateMany().

import { inputError } from '../../base/errors.js';
import { lazyModule } from '../../base/lazy_module.js';
import type { GeneratorHandle } from '../calls.js';
import { TokenStream } from '../generation.js';
import { planOf } from '../options.js';
import { GeneratorSession } from '../session.js';
import type { GenerateManyOptions, Prompt } from '../types.js';

const lanes = lazyModule(() => import('./lanes.js'), 'lanesOf');

/** `owner`: the generator, which is kept alive by its sessions. */
export function generateMany<T>(
  handle: GeneratorHandle,
  owner: object,
  prompts: readonly Prompt[],
  { concurrency, ...options }: GenerateManyOptions = {},
): TokenStream<T>[] {
  if (!Array.isArray(prompts)) throw inputError('wrong_type', 'generateMany: prompts must be an array');
  return prompts.map((prompt: Prompt) =>
    TokenStream.from(() => {
      const plan = { ...planOf(prompt, options, true), shares: true };
      const own = async () =>
        (await lanes()).lanesOf(handle, owner, () => GeneratorSession.create(handle.backend, owner));
      return new TokenStream<T>(
        async (job, onWaiting) => (await own()).run(job, onWaiting, concurrency),
        async (tokens, signal) => (await own()).generate(plan, options, tokens, signal),
        options,
      );
    }),
  );
}
