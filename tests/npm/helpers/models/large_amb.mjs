// An AMB model beyond 4 GB that is written while it is read, so that it lies nowhere as a whole. docs/formats/amb.md
// describes the format. Two values of each row of the embeddings are not zero, and the layer adds nothing: so its
// logits are known.

const width = 1024;
const rowsOfChunk = 256;
/** The embeddings alone have 4.36 GB: 4 GiB and 4 % more. */
export const vocabulary = 1_064_960;

const config = {
  architecture: 'llama',
  n_vocab: vocabulary,
  n_embd: width,
  n_layers: 1,
  n_heads: 8,
  n_ff: 32,
  max_seq_len: 8,
};

const layer = 'model.layers.0.';
const small = [
  ...['q', 'k', 'v', 'o'].map((name) => [`${layer}self_attn.${name}_proj`, [width, width], 0]),
  ...['gate', 'up'].map((name) => [`${layer}mlp.${name}_proj`, [config.n_ff, width], 0]),
  [`${layer}mlp.down_proj`, [width, config.n_ff], 0],
  ...[`${layer}input_layernorm`, `${layer}post_attention_layernorm`, 'model.norm'].map((name) => [name, [width], 1]),
];
const embeddings = ['model.embed_tokens', [vocabulary, width]];

const first = (row) => ((row % 1021) - 510) / 512;
const second = (row) => ((row % 509) + 1) / 256;
const columnOfSecond = (row) => 1 + (row % (width - 1));

/** After one token. */
export function expectedLogits(id) {
  const norm = Math.sqrt((first(id) ** 2 + second(id) ** 2) / width + 1e-5);
  return Float64Array.from({ length: vocabulary }, (_, row) => {
    const common = columnOfSecond(row) === columnOfSecond(id) ? second(row) * second(id) : 0;
    return (first(row) * first(id) + common) / norm;
  });
}

const count = (shape) => shape.reduce((product, size) => product * size);
const text = (value) => new TextEncoder().encode(value);

/** The bytes before the values of a float32 tensor. */
function recordHead([name, shape]) {
  const label = text(`${name}.weight`);
  const head = new Uint8Array(2 + label.length + 1 + 4 * shape.length + 1 + 8);
  const view = new DataView(head.buffer);
  view.setUint16(0, label.length, true);
  head.set(label, 2);
  head[2 + label.length] = shape.length;
  shape.forEach((size, i) => view.setUint32(3 + label.length + 4 * i, size, true));
  view.setBigUint64(head.length - 8, BigInt(4 * count(shape)), true);
  return head;
}

/** An answer that announces its length, as a server's. */
export function largeResponse() {
  const { size, chunks } = largeAmb();
  const pull = async (controller) => {
    const { done, value } = await chunks.next();
    if (done) controller.close();
    else if (value.length > 0) controller.enqueue(value);
    else await pull(controller);
  };
  // None is made before the last one was taken.
  const body = new ReadableStream({ pull }, { highWaterMark: 0 });
  return new Response(body, { headers: { 'content-length': String(size) } });
}

/** The file's length, and its bytes in chunks of which each lives until the next one. */
export function largeAmb() {
  // Each record ends at a multiple of 8 of the place in the file: what is before the first one does, too.
  const described = JSON.stringify(config);
  const before = text(`{}${described}${' '.repeat((8 - ((28 + 2 + described.length) % 8)) % 8)}`);
  const padded = (tensor) => Math.ceil((recordHead(tensor).length + 4 * count(tensor[1])) / 8) * 8;
  const weights = [...small, embeddings].reduce((sum, tensor) => sum + padded(tensor), 0);
  const header = new Uint8Array(28);
  const view = new DataView(header.buffer);
  header.set(text('AMBEE\x01'));
  view.setUint32(8, 2, true);
  view.setUint32(12, before.length - 2, true);
  view.setBigUint64(20, BigInt(weights), true);

  async function* chunks() {
    yield header;
    yield before;
    for (const tensor of [...small, embeddings]) {
      const head = recordHead(tensor);
      const values = 4 * count(tensor[1]);
      yield head;
      if (tensor === embeddings) yield* embeddingRows();
      else yield new Uint8Array(new Float32Array(values / 4).fill(tensor[2]).buffer);
      yield new Uint8Array(padded(tensor) - head.length - values);
    }
  }
  return { size: header.length + before.length + weights, chunks: chunks() };
}

function* embeddingRows() {
  const rows = new Float32Array(rowsOfChunk * width);
  for (let at = 0; at < vocabulary; at += rowsOfChunk) {
    for (let i = 0; i < rowsOfChunk; ++i) {
      if (at > 0) rows[i * width + columnOfSecond(at - rowsOfChunk + i)] = 0;
      rows[i * width] = first(at + i);
      rows[i * width + columnOfSecond(at + i)] = second(at + i);
    }
    yield new Uint8Array(rows.buffer);
  }
}
