// The items of a response, and the events that announce them as they are written.

import type { AnswerPiece } from '../../answer.js';
import { newId } from '../../ids.js';
import type { ServerSentEvent } from '../server_sent_events.js';

type Status = 'in_progress' | 'completed' | 'incomplete';

/** A part of the output: thoughts, a text, or a call of a tool. */
interface Item {
  kind: Kind;
  id: string;
  /** Pieces of the same key belong to the same item. */
  key: string;
  /** The fields of an item other than its text. */
  members: object;
  written: string;
  status: Status;
}

/** The parts of items of a type, and the names of their events without `response.`. */
interface Kind {
  idPrefix: string;
  /** With its text, which is empty at first. */
  describe(text: string, hasEnded: boolean): object;
  /** The event that a piece of the text makes. */
  event: string;
  /** Further fields of the events of its text. */
  members: object;
  /** The name of the whole text in its event. */
  whole: string;
  /** Texts are parts of items, which have their own events. */
  part?(text: string): object;
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const kinds: Record<AnswerPiece['type'], Kind> = {
  text: {
    idPrefix: 'msg_',
    describe: (text, hasEnded) => ({ type: 'message', role: 'assistant', content: hasEnded ? [textPart(text)] : [] }),
    event: 'output_text',
    members: { content_index: 0, logprobs: [] },
    whole: 'text',
    part: textPart,
  },
  reasoning: {
    idPrefix: 'rs_',
    describe: (text, hasEnded) => ({
      type: 'reasoning',
      summary: [],
      content: hasEnded ? [{ type: 'reasoning_text', text }] : [],
    }),
    event: 'reasoning_text',
    members: { content_index: 0 },
    whole: 'text',
  },
  toolCall: {
    idPrefix: 'fc_',
    describe: (text) => ({ type: 'function_call', arguments: text }),
    event: 'function_call_arguments',
    members: {},
    whole: 'arguments',
  },
};

/** The output so far. */
export class Output {
  private readonly items: Item[] = [];
  private sequence = 0;

  describe(): object[] {
    return this.items.map(describe);
  }

  event(name: string, members: object): ServerSentEvent {
    const type = name === 'error' ? name : `response.${name}`;
    return { name: type, data: { type, sequence_number: this.sequence++, ...members } };
  }

  *add(piece: AnswerPiece): Generator<ServerSentEvent> {
    const isCall = piece.type === 'toolCall';
    const key = isCall ? piece.id : piece.type;
    if (this.items.at(-1)?.key !== key) {
      yield* this.end('completed');
      yield* this.begin(key, piece);
    }
    const delta = isCall ? piece.argumentsText : piece.text;
    if (delta === '') return;
    const item = this.items.at(-1)!;
    item.written += delta;
    yield this.itemEvent(`${item.kind.event}.delta`, { ...item.kind.members, delta });
  }

  /** Ends the last item. */
  *end(status: Status): Generator<ServerSentEvent> {
    const item = this.items.at(-1);
    if (item?.status !== 'in_progress') return;
    const { kind, written } = item;
    yield this.itemEvent(`${kind.event}.done`, { ...kind.members, [kind.whole]: written });
    if (kind.part) yield this.partEvent('content_part.done', kind.part(written));
    item.status = status;
    yield this.wholeItem('output_item.done');
  }

  private *begin(key: string, piece: AnswerPiece): Generator<ServerSentEvent> {
    const kind = kinds[piece.type];
    const members = piece.type === 'toolCall' ? { call_id: piece.id, name: piece.name } : {};
    this.items.push({ kind, id: newId(kind.idPrefix), key, members, written: '', status: 'in_progress' });
    yield this.wholeItem('output_item.added');
    if (kind.part) yield this.partEvent('content_part.added', kind.part(''));
  }

  private partEvent(name: string, part: object): ServerSentEvent {
    return this.itemEvent(name, { content_index: 0, part });
  }

  private itemEvent(name: string, members: object): ServerSentEvent {
    return this.event(name, { item_id: this.items.at(-1)!.id, output_index: this.items.length - 1, ...members });
  }

  private wholeItem(name: string): ServerSentEvent {
    return this.event(name, { output_index: this.items.length - 1, item: describe(this.items.at(-1)!) });
  }
}

const describe = ({ kind, id, members, written, status }: Item): object => ({
  id,
  ...kind.describe(written, status !== 'in_progress'),
  ...members,
  status,
});
