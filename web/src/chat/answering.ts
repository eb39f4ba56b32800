import type { Chat, GenerateOptions, GeneratorLoadOptions, ModelSource, Token } from 'quintet';
import { TextGenerator } from 'quintet';

/** `source`: hf:OWNER/NAME, a URL, a File, … The model runs in a worker of its own, so it never blocks the page. */
export const loadModel = (source: ModelSource, options?: GeneratorLoadOptions) => TextGenerator.load(source, options);

/**
 * Answers a message, or the last one of the visitor again, and shows each token at once. The chat
 * (`model.startChat()`) keeps the messages and what was computed for them. An AbortSignal in `options.signal` ends the
 * answer; what there is of it stays.
 */
export async function answer(
  chat: Chat,
  message: string | undefined,
  options: GenerateOptions,
  show: (token: Token) => void,
) {
  const generation = message === undefined ? chat.regenerate(options) : chat.send(message, options);
  for await (const token of generation) show(token);
  return generation.finished;
}
