// The vocabulary of a GGUF file. Only its size matters here: control tokens, bytes, and pieces of letters.
import { listPair, pair } from '../files/gguf.mjs';

const KIND = { normal: 1, unknown: 2, control: 3, byte: 6 };
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** The tokenizer's part of the metadata, with `size` tokens. */
export function tokenizerPairs(tokenizer, size) {
  return TOKENIZERS[tokenizer](size);
}

const TOKENIZERS = {
  llama: sentencePiece,
  qwen2: (size) => byteLevel(size, 'qwen2'),
  'llama-bpe': (size) => byteLevel(size, 'llama-bpe'),
  smollm: (size) => byteLevel(size, 'smollm'),
  qwen35: (size) => byteLevel(size, 'qwen35'),
  refact: (size) => byteLevel(size, 'refact'),
  dbrx: (size) => byteLevel(size, 'dbrx'),
};

function sentencePiece(size) {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const special = ['<unk>', '<s>', '</s>'];
  const space = '\u2581';
  const words = take(pieces(space), size - special.length - bytes.length - 1);
  const tokens = [...special, ...bytes, space, ...words];
  const scores = tokens.map((_, id) => -id);
  const kinds = tokens.map((_, id) => {
    if (id < special.length) return id === 0 ? KIND.unknown : KIND.control;
    return id < special.length + bytes.length ? KIND.byte : KIND.normal;
  });
  return [
    pair('tokenizer.ggml.model', 'string', 'llama'),
    pair('tokenizer.ggml.bos_token_id', 'uint32', 1),
    pair('tokenizer.ggml.eos_token_id', 'uint32', 2),
    pair('tokenizer.ggml.unknown_token_id', 'uint32', 0),
    pair('tokenizer.ggml.add_bos_token', 'bool', true),
    listPair('tokenizer.ggml.tokens', 'string', tokens),
    listPair('tokenizer.ggml.scores', 'float32', scores),
    listPair('tokenizer.ggml.token_type', 'int32', kinds),
  ];
}

/** Byte-level BPE: bytes, words that grow by a letter with every merge, and control tokens at the end. */
function byteLevel(size, pre) {
  const bytes = byteAlphabet();
  const special = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
  const space = bytes[0x20];
  const words = take(pieces(space), size - bytes.length - special.length, (word) => word.length > 1);
  const tokens = [...bytes, ...words, ...special];
  const firstControl = tokens.length - special.length;
  const kinds = tokens.map((_, id) => (id < firstControl ? KIND.normal : KIND.control));
  const merges = words.map((word) => `${word.slice(0, -1)} ${word.at(-1)}`);
  return [
    pair('tokenizer.ggml.model', 'string', 'gpt2'),
    pair('tokenizer.ggml.pre', 'string', pre),
    pair('tokenizer.ggml.eos_token_id', 'uint32', tokens.indexOf('<|im_end|>')),
    pair('tokenizer.ggml.padding_token_id', 'uint32', firstControl),
    pair('tokenizer.ggml.add_bos_token', 'bool', false),
    listPair('tokenizer.ggml.tokens', 'string', tokens),
    listPair('tokenizer.ggml.token_type', 'int32', kinds),
    listPair('tokenizer.ggml.merges', 'string', merges),
  ];
}

/** The characters of the 256 bytes (openai/gpt-2, encoder.py): printable Latin-1 is itself, others begin at U+0100. */
function byteAlphabet() {
  const isPrintable = (byte) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}

function take(items, count, accept = () => true) {
  const taken = [];
  for (const item of items) {
    if (taken.length === count) return taken;
    if (accept(item)) taken.push(item);
  }
}

/** Letters, then ever longer words, each with and without the mark of a space before it. */
function* pieces(space) {
  for (let words = ['']; ; ) {
    words = words.flatMap((word) => LETTERS.map((letter) => word + letter));
    for (const word of words) {
      yield word;
      yield space + word;
    }
  }
}
