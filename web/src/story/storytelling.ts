import type { GenerateOptions, GeneratorLoadOptions, ModelSource, Session, Token } from 'quintet';
import { TextGenerator } from 'quintet';
import { storyteller } from 'quintet-models';

/** Loads the bundled story model, or another one: a URL, a File, … */
export const loadModel = (options?: GeneratorLoadOptions, source: ModelSource = storyteller) =>
  TextGenerator.load(source, options);

/**
 * Continues a session (`model.createSession()`) with a prompt, and shows each token at
 * once. An AbortSignal in `options.signal` stops it.
 */
export async function write(session: Session, prompt: string, options: GenerateOptions, show: (token: Token) => void) {
  const generation = session.generate(prompt, options);
  for await (const token of generation) show(token);
  return generation.finished;
}
