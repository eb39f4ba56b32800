import { TextGenerator } from 'quintet';
import type { ChatMessage, GenerateOptions, GeneratorLoadOptions, ModelSource, Session, Token } from 'quintet';
import { storyteller } from 'quintet-models';

/** Loads the bundled model, which only tells stories, or another one: hf:OWNER/NAME, a URL, a File, … */
export const loadModel = (options?: GeneratorLoadOptions, source: ModelSource = storyteller) =>
  TextGenerator.load(source, options);

/**
 * Answers the last of the messages and shows each token at once. The session (`model.createSession()`) keeps what was
 * computed for earlier messages. An AbortSignal in `options.signal` ends the answer; what there is of it stays.
 */
export async function answer(
  session: Session,
  messages: readonly ChatMessage[],
  options: GenerateOptions,
  show: (token: Token) => void,
) {
  let content = '';
  const generation = session.generate(messages, options);
  for await (const token of generation) {
    content += token.text;
    show(token);
  }
  const summary = await generation.finished;
  const message: ChatMessage = { role: 'assistant', content };
  if (summary.reasoning) message.reasoning = summary.reasoning;
  return { message, summary };
}
