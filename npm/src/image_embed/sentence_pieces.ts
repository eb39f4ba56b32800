// The tokenizer of SigLIP from spiece.model alone, as the tokenizer.json that it becomes: the pieces and the map of
// characters of SentencePiece's model (sentencepiece_model.proto), after what SiglipTokenizer of transformers does to texts.

import { QuintetError } from '../base/errors.js';
import { bytesSource } from '../sources/bytes/byte_source.js';
import type { OpenableFile } from '../sources/types.js';
import { wholeSource } from '../sources/whole_file.js';
import { sentencePieces } from './file_names.js';

const tokenizerFile = 'tokenizer.json';

/** The files with a tokenizer.json in place of the model; that of the folder is better, if there is one. */
export function withTokenizer(files: readonly OpenableFile[]): OpenableFile[] {
  const model = files.find(({ name }) => name === sentencePieces);
  const others = files.filter((file) => file !== model);
  if (!model || files.some(({ name }) => name === tokenizerFile)) return others;
  const open: OpenableFile['open'] = async (signal) => {
    const bytes = await wholeSource(await model.open(signal), sentencePieces, maxBytes);
    return bytesSource(new TextEncoder().encode(JSON.stringify(tokenizerOf(bytes))));
  };
  return [{ name: tokenizerFile, isRemote: model.isRemote, open }, ...others];
}

const maxBytes = 16 << 20;

interface Piece {
  text: string;
  score: number;
  type: number;
}

/** Types of pieces. */
const unknown = 2;
const control = 3;

const end = '</s>';
/** string.punctuation of Python, which SiglipTokenizer removes. */
const punctuation = '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~]';

function tokenizerOf(model: Uint8Array): object {
  const { pieces, characterMap } = readModel(model);
  const idOf = (found: (piece: Piece) => boolean, what: string) => {
    const id = pieces.findIndex(found);
    if (id < 0) throw malformed(`it has no ${what}`);
    return id;
  };
  const endId = idOf(({ text }) => text === end, `piece ${end}`);
  const unknownId = idOf(({ type }) => type === unknown, 'unknown piece');
  const replace = (pattern: string, content: string) => ({ type: 'Replace', pattern: { Regex: pattern }, content });
  const map = { type: 'Precompiled', precompiled_charsmap: base64Of(characterMap) };
  const mark = { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always', split: true };
  return {
    added_tokens: pieces.flatMap(({ text, type }, id) =>
      type === control || type === unknown
        ? [{ id, content: text, single_word: false, lstrip: true, rstrip: true, normalized: false, special: true }]
        : [],
    ),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Lowercase' },
        replace(punctuation, ''),
        ...(characterMap.length > 0 ? [map] : []),
        replace('\\s+', ' '),
        { type: 'Strip', strip_left: true, strip_right: true },
      ],
    },
    pre_tokenizer: mark,
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: end, type_id: 0 } }],
      pair: [],
      special_tokens: { [end]: { id: end, ids: [endId], tokens: [end] } },
    },
    decoder: mark,
    model: {
      type: 'Unigram',
      unk_id: unknownId,
      vocab: pieces.map(({ text, score }) => [text, score]),
      byte_fallback: false,
    },
  };
}

function readModel(model: Uint8Array): { pieces: Piece[]; characterMap: Uint8Array } {
  const pieces: Piece[] = [];
  let characterMap: Uint8Array = new Uint8Array(0);
  for (const { number, bytes } of fieldsOf(model)) {
    if (number === 1) pieces.push(pieceOf(bytes));
    // NormalizerSpec, whose field 2 is the map.
    if (number === 3) for (const field of fieldsOf(bytes)) if (field.number === 2) characterMap = field.bytes;
  }
  return { pieces, characterMap };
}

function pieceOf(message: Uint8Array): Piece {
  const piece = { text: '', score: 0, type: 1 };
  for (const { number, value, bytes } of fieldsOf(message)) {
    if (number === 1) piece.text = new TextDecoder().decode(bytes);
    if (number === 2 && bytes.length === 4) {
      piece.score = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    }
    if (number === 3) piece.type = value;
  }
  if (!Number.isFinite(piece.score)) throw malformed('a score is not finite');
  return piece;
}

interface Field {
  number: number;
  /** The value of a number. */
  value: number;
  /** The content of anything else. */
  bytes: Uint8Array;
}

/** Bytes after the tag, by the type of the field; of type 2 they begin with their number. */
const fixedLengths: Readonly<Record<number, number>> = { 0: 0, 1: 8, 5: 4 };

/** The fields of a message of Protocol Buffers (https://protobuf.dev/programming-guides/encoding). */
function* fieldsOf(message: Uint8Array): Generator<Field, void, undefined> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++];
      if (byte === undefined || factor > 2 ** 63) throw malformed('it is damaged');
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const type = tag % 8;
    const value = type === 0 ? varint() : 0;
    const length = type === 2 ? varint() : fixedLengths[type];
    if (length === undefined || length > message.length - at) throw malformed('it is damaged');
    yield { number: Math.floor(tag / 8), value, bytes: message.subarray(at, at + length) };
    at += length;
  }
}

/** In pieces: a call has a limited number of arguments. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

const malformed = (what: string): QuintetError =>
  new QuintetError('FORMAT', `${sentencePieces}: ${what}`, { reason: 'malformed' });
