// A SentencePiece model of byte-pair encoding as the tokenizer.json that Hugging Face's libraries read, made as
// transformers converts such models (convert_slow_tokenizer.py): every pair of pieces that makes a piece is a merge, in
// the order of the scores.

const wireTypes = { varint: 0, bytes: 2, four: 5 };
const pieceTypes = { normal: 1, unknown: 2 };

/** The fields of a protocol buffer: [number, value]. */
function* fieldsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const [number, type] = [key >> 3, key & 7];
    if (type === wireTypes.varint) yield [number, varint()];
    else if (type === wireTypes.four) yield [number, view.getFloat32((at += 4) - 4, true)];
    else if (type === wireTypes.bytes) {
      const length = varint();
      yield [number, bytes.subarray(at, (at += length))];
    } else throw new Error(`a field of type ${type}`);
  }
}

function pieceOf(message) {
  const fields = new Map(fieldsOf(message));
  const [text, score = 0, type = pieceTypes.normal] = [1, 2, 3].map((number) => fields.get(number));
  return { text: new TextDecoder().decode(text), score, type };
}

/** Message ModelProto of sentencepiece_model.proto: pieces, and of the normalizer what concerns spaces. */
function readModel(bytes) {
  const fields = [...fieldsOf(bytes)];
  const pieces = fields.filter(([number]) => number === 1).map(([, message]) => pieceOf(message));
  const normalizer = new Map(fieldsOf(fields.find(([number]) => number === 3)[1]));
  return { pieces, removesSpaces: Boolean(normalizer.get(4) ?? 1), characterMap: normalizer.get(2)?.length ?? 0 };
}

function mergesOf(pieces) {
  const ranks = new Map(pieces.map(({ text }, id) => [text, id]));
  const merges = [];
  for (const { text, score, type } of pieces) {
    if (type !== pieceTypes.normal) continue;
    const letters = [...text];
    const pairs = letters.slice(1).map((_, i) => [letters.slice(0, i + 1).join(''), letters.slice(i + 1).join('')]);
    const known = pairs.filter((pair) => pair.every((half) => ranks.has(half)));
    known.sort((a, b) => ranks.get(a[0]) - ranks.get(b[0]) || ranks.get(a[1]) - ranks.get(b[1]));
    merges.push(...known.map((pair) => ({ pair, score })));
  }
  return merges.sort((a, b) => b.score - a.score).map(({ pair }) => pair);
}

const replace = (pattern, content) => ({ type: 'Replace', pattern, content });

// An empty text has no prefix either; the library's `Prepend` puts one even in front of nothing.
const spaceRemoval = [
  replace({ Regex: '\\A +| +\\z' }, ''),
  replace({ Regex: ' {2,}' }, ' '),
  replace({ Regex: '\\A(?=[\\s\\S])' }, '▁'),
];

export function sentencePieceJson(bytes) {
  const { pieces, removesSpaces, characterMap } = readModel(bytes);
  if (characterMap > 0) throw new Error('the model rewrites characters');
  const prefix = removesSpaces ? spaceRemoval : [{ type: 'Prepend', prepend: '▁' }];
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'Sequence',
      normalizers: [...prefix, replace({ String: ' ' }, '▁')],
    },
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    model: {
      type: 'BPE',
      unk_token: pieces.find(({ type }) => type === pieceTypes.unknown).text,
      fuse_unk: true,
      byte_fallback: true,
      vocab: Object.fromEntries(pieces.map(({ text }, id) => [text, id])),
      merges: mergesOf(pieces),
    },
  };
}
