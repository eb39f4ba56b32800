// A text generator as a chat model of LangChain.

import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput, StructuredOutputMethodOptions } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
  type LangSmithParams,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from '@langchain/core/messages';
import { JsonOutputParser } from '@langchain/core/output_parsers';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { type Runnable, RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import type { ToolDefinition } from '../../chat/types.js';
import type { TextGenerator } from '../../generate/text_generator.js';
import type { GenerateOptions, GenerationSummary } from '../../generate/types.js';
import { collected, finishReason, piecesOf } from '../answer.js';
import { conversationOf } from './messages.js';

/** Options of a call: those of `generate`, and LangChain's. */
export interface ChatQuintetCallOptions
  extends BaseChatModelCallOptions,
    Omit<GenerateOptions, 'signal' | 'stop' | 'toolChoice' | 'chat'> {
  tools?: ToolDefinition[];
  /** Variables of the chat template: enable_thinking, … */
  variables?: Record<string, unknown>;
}

const samplingOptions = [
  'maxTokens',
  'temperature',
  'topK',
  'topP',
  'minP',
  'repetitionPenalty',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'logprobs',
  'grammar',
  'jsonSchema',
  'largeIntegers',
  'logitBias',
  'logitsProcessor',
  'onPrefill',
] as const satisfies readonly (keyof ChatQuintetCallOptions & keyof GenerateOptions)[];

/** Options of every call of a model, unless a call has others. */
export interface ChatQuintetFields
  extends BaseChatModelParams,
    Omit<ChatQuintetCallOptions, keyof BaseChatModelCallOptions> {
  generator: TextGenerator;
  /** The name of the model in traces and answers. Default: its title, such as 'Gemma 3 1B, Q4_K_M'. */
  model?: string;
}

export class ChatQuintet extends BaseChatModel<ChatQuintetCallOptions> {
  private readonly generator: TextGenerator;
  readonly model: string;
  private readonly defaults: Partial<ChatQuintetCallOptions>;

  constructor({ generator, model, cache, callbacks, tags, metadata, verbose, ...defaults }: ChatQuintetFields) {
    // The names of these are LangChain's.
    const params = { cache, callbacks, tags, metadata, verbose };
    super(Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)));
    this.generator = generator;
    this.model = model ?? generator.info.title ?? 'text-generator';
    this.defaults = defaults;
  }

  static override lc_name(): string {
    return 'ChatQuintet';
  }

  _llmType(): string {
    return 'quintet';
  }

  override getLsParams(call: this['ParsedCallOptions']): LangSmithParams {
    const { temperature, maxTokens, stop } = { ...this.defaults, ...call };
    return {
      ls_provider: 'quintet',
      ls_model_name: this.model,
      ls_model_type: 'chat',
      ...(temperature !== undefined && { ls_temperature: temperature }),
      ...(maxTokens !== undefined && { ls_max_tokens: maxTokens }),
      ...(stop && { ls_stop: stop }),
    };
  }

  override bindTools(
    tools: BindToolsInput[],
    options?: Partial<ChatQuintetCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ChatQuintetCallOptions> {
    const definitions = tools.map((tool) => {
      const { name, description, parameters } = convertToOpenAITool(tool as never).function;
      return { name, ...(description !== undefined && { description }), ...(parameters && { parameters }) };
    });
    return this.withConfig({ tools: definitions, ...options });
  }

  /** The grammar makes the answer match the schema: no tool is called for it. */
  override withStructuredOutput<Output extends Record<string, unknown>>(
    schema: unknown,
    config?: StructuredOutputMethodOptions<boolean>,
  ): Runnable<BaseLanguageModelInput, never> {
    const jsonSchema = toJsonSchema(schema as never);
    const model = this.withConfig({
      jsonSchema,
      ls_structured_output_format: { kwargs: { method: 'jsonSchema' }, schema: jsonSchema },
    });
    const parser = new JsonOutputParser<Output>();
    if (!config?.includeRaw) return model.pipe(parser) as never;
    const parsed = RunnablePassthrough.assign({ parsed: (input: { raw: AIMessage }) => parser.invoke(input.raw) });
    return RunnableSequence.from([{ raw: model }, parsed]) as never;
  }

  async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const { text, reasoning, calls, summary } = await collected(this.piecesOf(messages, options));
    options.signal?.throwIfAborted();
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ id, name, argumentsText }) => ({
        id,
        name,
        args: JSON.parse(argumentsText),
        type: 'tool_call',
      })),
      additional_kwargs: reasoning === '' ? {} : { reasoning_content: reasoning },
      response_metadata: { model: this.model, finish_reason: finishReason(summary, calls.length > 0) },
    });
    return { generations: [{ text, message: withUsage(message, summary) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const pieces = this.piecesOf(messages, options);
    let called = false;
    try {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) {
          options.signal?.throwIfAborted();
          const ending = { model: this.model, finish_reason: finishReason(value, called) };
          const last = chunkOf({ content: '', response_metadata: ending });
          withUsage(last.message, value);
          return yield last;
        }
        if (value.type === 'toolCall') {
          called = true;
          const { index, id, name, argumentsText: args, isFirst } = value;
          yield chunkOf({ content: '', tool_call_chunks: [isFirst ? { index, id, name, args } : { index, args }] });
        } else if (value.type === 'reasoning') {
          yield chunkOf({ content: '', additional_kwargs: { reasoning_content: value.text } });
        } else {
          const chunk = chunkOf({ content: value.text });
          yield chunk;
          await runManager?.handleLLMNewToken(value.text, undefined, undefined, undefined, undefined, { chunk });
        }
      }
    } finally {
      // A reader that leaves ends the generation.
      await pieces.return(undefined as never);
    }
  }

  private piecesOf(messages: BaseMessage[], call: this['ParsedCallOptions']) {
    const asked = { ...this.defaults, ...call };
    const { tools, variables, tool_choice: choice, stop, signal } = asked;
    // LangChain adds its own options.
    const sampling = Object.fromEntries(
      samplingOptions.filter((name) => asked[name] !== undefined).map((name) => [name, asked[name]]),
    );
    const options: GenerateOptions = {
      maxTokens: this.generator.contextLength,
      ...sampling,
      ...(stop && { stop }),
      ...(signal && { signal }),
      ...(choice !== undefined && { toolChoice: toolChoiceOf(choice) }),
      chat: { ...(tools && { tools }), ...(variables && { variables }) },
    };
    const generation = this.generator.generate(conversationOf(messages), options);
    return piecesOf(generation, { withTokens: false, oneCall: false });
  }
}

/** LangChain's 'any' is 'required'; another text names a tool. */
function toolChoiceOf(
  choice: NonNullable<BaseChatModelCallOptions['tool_choice']>,
): NonNullable<GenerateOptions['toolChoice']> {
  if (choice === 'any' || choice === 'required') return 'required';
  if (choice === 'auto' || choice === 'none') return choice;
  return { name: typeof choice === 'string' ? choice : (choice['function'] as { name: string }).name };
}

const chunkOf = (fields: ConstructorParameters<typeof AIMessageChunk>[0] & { content: string }): ChatGenerationChunk =>
  new ChatGenerationChunk({ text: fields.content, message: new AIMessageChunk(fields) });

/** The types of messages with tools have no usage; the messages do. */
const withUsage = <Message extends BaseMessage>(message: Message, summary: GenerationSummary): Message =>
  Object.assign(message, { usage_metadata: usageOf(summary) });

const usageOf = ({ promptTokens, prefillTokens, tokens }: GenerationSummary): UsageMetadata => ({
  input_tokens: promptTokens,
  output_tokens: tokens,
  total_tokens: promptTokens + tokens,
  input_token_details: { cache_read: promptTokens - prefillTokens },
});
