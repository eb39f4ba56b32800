// Conversations with a text generator: how prompts are formatted, and how answers are read. Loaded with the first one.

import { lazyModule } from '../base/lazy_module.js';
import { type AnswerFindings, AnswerReader } from '../chat/answers/reader.js';
import { type AnswerStyle, hasTools, markersOf, thinkingOf } from '../chat/answers/style.js';
import { ChatTemplates } from '../chat/chat_templates.js';
import { toolsWithJsonSchema } from '../chat/tool_schemas.js';
import type { AnswerPart, AppliedChatTemplate, ChatTemplateOptions, FormattedChat } from '../chat/types.js';
import type { GrammarText } from '../grammar/source.js';
import type { GeneratorBackend } from './calls.js';
import type { Conversation } from './options.js';
import type { Token } from './types.js';

/** Only conversations with tools need these. */
const calling = lazyModule(() => import('../chat/answers/formats.js'), 'callFormatOf');
const forcing = lazyModule(() => import('./prompts/forced_calls.js'), 'forcedTools');

/** Facts about a model that conversations need. Each is requested once. */
class ConversationModel {
  private chatTemplates: ChatTemplates | undefined;
  /** Ids of markers that are special tokens; -1 for others. */
  private readonly markers = new Map<string, number>();

  constructor(private readonly backend: GeneratorBackend) {}

  async templates(): Promise<ChatTemplates> {
    return (this.chatTemplates ??= new ChatTemplates(await this.backend.call('chat', [])));
  }

  /** The special tokens among the texts, by their ids: the generation has no text for them. */
  async specialTokens(texts: readonly string[]): Promise<Map<number, string>> {
    const unknown = texts.filter((text) => !this.markers.has(text));
    if (unknown.length > 0) {
      const ids = await this.backend.call('specialTokens', [unknown]);
      unknown.forEach((text, i) => this.markers.set(text, ids[i]!));
    }
    return new Map(texts.map((text) => [this.markers.get(text)!, text] as const).filter(([id]) => id >= 0));
  }
}

const models = new WeakMap<GeneratorBackend, ConversationModel>();

function modelOf(backend: GeneratorBackend): ConversationModel {
  const model = models.get(backend) ?? new ConversationModel(backend);
  models.set(backend, model);
  return model;
}

export async function applyChatTemplate(
  backend: GeneratorBackend,
  { messages, options }: Conversation,
): Promise<AppliedChatTemplate> {
  const formatted = await (await modelOf(backend).templates()).formatAsync(messages, options, 'applyChatTemplate');
  return { text: formatted.text, ids: await backend.call('encodeChat', [formatted]) };
}

/** A formatted conversation: a prompt, and a reader of the answer's tokens. */
export interface Exchange {
  chat: FormattedChat;
  /** Undefined if all of the answer is text. */
  answer: Answer | undefined;
  /** The grammar of an answer that must call a tool. */
  grammar?: GrammarText;
  /** For native code: how long the model may think, and how its thoughts are written. */
  reasoning?: object | undefined;
}

/** `constrained`: the caller gave a grammar for the answer, in which there are neither thoughts nor calls. */
export async function exchangeOf(
  backend: GeneratorBackend,
  conversation: Conversation,
  constrained: boolean,
): Promise<Exchange> {
  const { messages, toolChoice, largeIntegers, reasoningBudget } = conversation;
  const given = toolsWithJsonSchema(conversation.options);
  const forced =
    toolChoice === undefined
      ? undefined
      : (await forcing()).forcedTools({ ...conversation, options: given }, constrained);
  const { tools: _tools, ...withoutTools } = given;
  const options: ChatTemplateOptions = toolChoice === 'none' ? withoutTools : given;
  const { tools = [], variables } = options;
  const model = modelOf(backend);
  const templates = await model.templates();
  const formatted = await templates.formatAsync(messages, options);
  if (constrained) return { chat: formatted, answer: undefined };
  const template = templates.source(options);
  const calls = hasTools(options)
    ? (await calling()).callFormatOf(template, tools.length > 0 ? {} : variables)
    : undefined;
  const reading = { tools, exact: largeIntegers === 'bigint' };
  const thinking = thinkingOf(template, formatted.text);
  const style = {
    ...thinking,
    // An answer that must call a tool has no reasoning, except for ending what the prompt has begun.
    ...(forced && !thinking.startsThinking && { thoughts: undefined }),
    calls,
    reading,
  };
  if (!forced && !style.thoughts && !calls) return { chat: formatted, answer: undefined };
  const special = await model.specialTokens(markersOf(style));
  const answer = new Answer(new AnswerReader(style, special.values()), special);
  return {
    chat: formatted,
    answer,
    ...(forced
      ? { grammar: (await forcing()).grammarOfCall(forced, style, special) }
      : reasoningBudget !== undefined && { reasoning: limitedThoughts(style, reasoningBudget) }),
  };
}

/** Thoughts end as templates write their end. */
function limitedThoughts({ thoughts, startsThinking }: AnswerStyle, budget: number): object | undefined {
  if (!thoughts) return undefined;
  const { begin, end, aroundEnd } = thoughts;
  return { budget, begin, end, closing: aroundEnd.join(end), begins: startsThinking };
}

/** Reads the tokens of an answer. */
export class Answer {
  constructor(
    private readonly reader: AnswerReader,
    private readonly special: ReadonlyMap<number, string>,
  ) {}

  read({ id, text }: Token): AnswerPart[] {
    return this.reader.push(text, this.special.get(id));
  }

  /** The text that was held back until the end. */
  rest(): AnswerPart[] {
    return this.reader.finish();
  }

  found(): AnswerFindings {
    return this.reader.found();
  }
}
