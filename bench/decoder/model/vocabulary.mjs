// A vocabulary of SentencePiece's kind, of which only its size matters: control tokens, bytes, and pieces of letters.

const KIND = { normal: 1, unknown: 2, control: 3, byte: 6 };

/** { tokens, scores, kinds } of `size` tokens. */
export function makeVocabulary(size) {
  const tokens = ['<unk>', '<s>', '</s>'];
  const kinds = [KIND.unknown, KIND.control, KIND.control];
  for (let byte = 0; byte < 256; byte++) {
    tokens.push(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    kinds.push(KIND.byte);
  }
  for (const piece of pieces()) {
    if (tokens.length === size) break;
    tokens.push(piece);
    kinds.push(KIND.normal);
  }
  return { tokens, kinds, scores: tokens.map((_, id) => -id) };
}

/** Letters, then ever longer words, each with and without the mark of a space before it. */
function* pieces() {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  yield '\u2581';
  for (let words = ['']; ; ) {
    words = words.flatMap((word) => letters.map((letter) => word + letter));
    for (const word of words) {
      yield word;
      yield `\u2581${word}`;
    }
  }
}
