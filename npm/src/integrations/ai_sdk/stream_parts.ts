// An answer as the parts of a stream of the AI SDK: texts, thoughts and the input of tools begin and end.

import type { LanguageModelV4StreamPart, SharedV4Warning } from '@ai-sdk/provider';
import type { GenerationSummary } from '../../generate/types.js';
import type { AnswerPiece, AnswerPieces } from '../answer.js';
import { finishReasonOf, usageOf } from './summary.js';

/** The open part: a text, thoughts, or the input of a tool, with all that came of it. */
interface OpenPart {
  kind: 'text' | 'reasoning' | 'tool-input';
  id: string;
  toolName?: string;
  text: string;
}

export async function* streamParts(
  pieces: AnswerPieces,
  warnings: SharedV4Warning[],
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  let open: OpenPart | undefined;
  let parts = 0;
  let called = false;
  try {
    let { done, value } = await pieces.next();
    yield { type: 'stream-start', warnings };
    while (!done) {
      const piece = value as AnswerPiece;
      const next = partOf(piece);
      if (open?.kind !== next.kind || (next.kind === 'tool-input' && open.id !== next.id)) {
        if (open) yield* endOf(open);
        open = { ...next, id: next.kind === 'tool-input' ? next.id : String(parts++) };
        yield beginOf(open);
      }
      called ||= open.kind === 'tool-input';
      const delta = piece.type === 'toolCall' ? piece.argumentsText : piece.text;
      if (delta !== '') yield { type: `${open.kind}-delta`, id: open.id, delta };
      open.text += delta;
      ({ done, value } = await pieces.next());
    }
    signal?.throwIfAborted();
    if (open) yield* endOf(open);
    const summary = value as GenerationSummary;
    yield { type: 'finish', finishReason: finishReasonOf(summary, called), usage: usageOf(summary) };
  } catch (error) {
    yield { type: 'error', error };
  } finally {
    // A reader that leaves ends the generation.
    await pieces.return(undefined as never);
  }
}

function partOf(piece: AnswerPiece): OpenPart {
  if (piece.type !== 'toolCall') return { kind: piece.type, id: '', text: '' };
  return { kind: 'tool-input', id: piece.id, toolName: piece.name, text: '' };
}

function beginOf({ kind, id, toolName = '' }: OpenPart): LanguageModelV4StreamPart {
  return kind === 'tool-input' ? { type: 'tool-input-start', id, toolName } : { type: `${kind}-start`, id };
}

function* endOf({ kind, id, toolName = '', text }: OpenPart): Generator<LanguageModelV4StreamPart> {
  yield { type: `${kind}-end`, id };
  if (kind === 'tool-input') yield { type: 'tool-call', toolCallId: id, toolName, input: text };
}
