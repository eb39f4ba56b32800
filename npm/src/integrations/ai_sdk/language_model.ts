// A text generator as a language model of the AI SDK (specification v4; version 3 has the same form).

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import type { TextGenerator } from '../../generate/text_generator.js';
import { type AnswerPieces, collected, piecesOf } from '../answer.js';
import { preparedCall } from './call_options.js';
import { type Loadable, ProvidedModel } from './loadable.js';
import { conversationOf } from './prompt.js';
import { streamParts } from './stream_parts.js';
import { finishReasonOf, usageOf } from './summary.js';

export interface QuintetLanguageModel extends LanguageModelV4, Loadable {}

export class TextGeneratorModel extends ProvidedModel<TextGenerator> implements QuintetLanguageModel {
  readonly supportedUrls = {};

  async doGenerate(call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { pieces, warnings } = await this.start(call);
    const { text, reasoning, calls, summary } = await collected(pieces);
    call.abortSignal?.throwIfAborted();
    const content: LanguageModelV4Content[] = [
      ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
      ...(text ? [{ type: 'text' as const, text }] : []),
      ...calls.map(({ id, name, argumentsText }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: argumentsText,
      })),
    ];
    const finishReason = finishReasonOf(summary, calls.length > 0);
    return { content, finishReason, usage: usageOf(summary), warnings };
  }

  async doStream(call: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const { pieces, warnings } = await this.start(call);
    const parts = streamParts(pieces, warnings, call.abortSignal);
    const stream = new ReadableStream<LanguageModelV4StreamPart>(
      {
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await parts.return()),
      },
      { highWaterMark: 0 },
    );
    return { stream };
  }

  private async start(
    call: LanguageModelV4CallOptions,
  ): Promise<{ pieces: AnswerPieces } & Pick<LanguageModelV4GenerateResult, 'warnings'>> {
    const generator = await this.model.get();
    const { options, warnings } = preparedCall(call, generator);
    const generation = generator.generate(conversationOf(call.prompt), options);
    return { pieces: piecesOf(generation, { withTokens: false, oneCall: false }), warnings };
  }
}
