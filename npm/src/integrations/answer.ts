// An answer of a model as it comes, and as a whole.

import { QuintetError } from '../base/errors.js';
import type { AnswerPart } from '../chat/types.js';
import type { Generation, GenerationSummary, Token } from '../generate/types.js';
import { newId } from './ids.js';

/** A piece of an answer: its text and thoughts, on request its tokens, or a piece of a tool call. */
export type AnswerPiece =
  | { type: 'text' | 'reasoning'; text: string; token?: Token }
  | { type: 'toolCall'; index: number; id: string; name: string; argumentsText: string; isFirst: boolean };

export interface AnswerOptions {
  /** Whether to give the tokens: calls of tools then come at the end, each in one piece. */
  withTokens: boolean;
  /** The answer ends before its second call. */
  oneCall: boolean;
}

/** Pieces, and at the end a summary. */
export type AnswerPieces = AsyncGenerator<AnswerPiece, GenerationSummary, undefined>;

export const piecesOf = (generation: Generation, options: AnswerOptions): AnswerPieces =>
  options.withTokens ? tokenPieces(generation, options) : partPieces(generation, options);

async function* tokenPieces(generation: Generation, { oneCall }: AnswerOptions): AnswerPieces {
  for await (const token of generation) {
    const { id, text } = token;
    // Bytes of a character come with its last token.
    yield id >= 0 && text !== '' ? { type: 'text', text, token } : { type: 'text', text };
  }
  const summary = await generation.finished;
  if (summary.reasoning) yield { type: 'reasoning', text: summary.reasoning };
  const calls = summary.toolCalls ?? [];
  for (const [index, call] of calls.slice(0, oneCall ? 1 : calls.length).entries()) {
    const { name, id = newId('call_') } = call;
    yield { type: 'toolCall', index, id, name, argumentsText: JSON.stringify(call.arguments), isFirst: true };
  }
  return summary;
}

async function* partPieces(generation: Generation, { oneCall }: AnswerOptions): AnswerPieces {
  const calls = new CallPieces();
  for await (const part of generation.parts()) {
    if (part.type !== 'toolCall') yield part;
    else if (part.index > 0 && oneCall) break;
    else yield* calls.add(part);
  }
  return generation.finished;
}

type CallPart = Extract<AnswerPart, { type: 'toolCall' }>;

/** Calls, each held back until its name is known. */
class CallPieces {
  private readonly calls = new Map<number, { id: string; name?: string; held: string }>();

  *add({ index, id, name, argumentsText, discarded }: CallPart): Generator<AnswerPiece> {
    // A piece that a client has received cannot be taken back.
    if (discarded && this.calls.get(index)?.name !== undefined) {
      throw new QuintetError('INPUT', 'the model began to call a tool, but wrote no call', {
        reason: 'malformed',
      });
    }
    if (discarded) this.calls.delete(index);
    const call = this.calls.get(index) ?? { id: newId('call_'), held: '' };
    this.calls.set(index, call);
    if (id !== undefined) call.id = id;
    const isFirst = call.name === undefined && name !== undefined;
    if (name !== undefined) call.name = name;
    call.held += argumentsText;
    if (call.name === undefined || (call.held === '' && !isFirst)) return;
    const text = call.held;
    call.held = '';
    yield { type: 'toolCall', index, id: call.id, name: call.name, argumentsText: text, isFirst };
  }
}

export interface CollectedCall {
  id: string;
  name: string;
  argumentsText: string;
}

/** An answer as a whole. */
export interface CollectedAnswer {
  text: string;
  reasoning: string;
  calls: CollectedCall[];
  tokens: Token[];
  summary: GenerationSummary;
}

export async function collected(pieces: AnswerPieces): Promise<CollectedAnswer> {
  const answer = { text: '', reasoning: '', calls: [] as CollectedCall[], tokens: [] as Token[] };
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { ...answer, summary: value };
    if (value.type === 'toolCall') {
      const { index, id, name, argumentsText } = value;
      const call = (answer.calls[index] ??= { id, name, argumentsText: '' });
      call.argumentsText += argumentsText;
    } else {
      answer[value.type] += value.text;
      if (value.token) answer.tokens.push(value.token);
    }
  }
}

/** Why an answer ended, in the words of chat completions. */
export const finishReason = ({ reason }: GenerationSummary, called: boolean): 'stop' | 'length' | 'tool_calls' =>
  reason === 'length' ? 'length' : called ? 'tool_calls' : 'stop';
