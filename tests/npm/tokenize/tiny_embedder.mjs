// A model of the smallest size with a given vocabulary, as bytes of a .weights file in the flat layout or as a folder
// of Hugging Face: tests of the tokenizer choose the tokens, and need no sensible weights.
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';

const HIDDEN = 32; // one attention head
const POSITIONS = 4;

const linear = (name) => [
  [`${name}.weight`, HIDDEN, HIDDEN],
  [`${name}.bias`, HIDDEN],
];
const norm = (name) => [
  [`${name}.weight`, HIDDEN],
  [`${name}.bias`, HIDDEN],
];

const tensorShapes = (tokens) => [
  ['embeddings.word_embeddings.weight', tokens, HIDDEN],
  ['embeddings.position_embeddings.weight', POSITIONS, HIDDEN],
  ['embeddings.token_type_embeddings.weight', 2, HIDDEN],
  ...norm('embeddings.LayerNorm'),
  ...linear('encoder.layer.0.attention.self.query'),
  ...linear('encoder.layer.0.attention.self.key'),
  ...linear('encoder.layer.0.attention.self.value'),
  ...linear('encoder.layer.0.attention.output.dense'),
  ...norm('encoder.layer.0.attention.output.LayerNorm'),
  ...linear('encoder.layer.0.intermediate.dense'),
  ...linear('encoder.layer.0.output.dense'),
  ...norm('encoder.layer.0.output.LayerNorm'),
];

const u32 = (...values) => new Uint8Array(new Uint32Array(values).buffer);
const text = (string) => {
  const bytes = new TextEncoder().encode(string);
  return [u32(bytes.length), bytes];
};

export function tinyEmbedder(tokens) {
  const shapes = tensorShapes(tokens.length);
  const tensors = shapes.flatMap(([name, ...shape]) => {
    const values = new Float32Array(shape.reduce((product, size) => product * size)).fill(0.5);
    return [...text(name), u32(shape.length, ...shape), new Uint8Array(values.buffer)];
  });
  const magic = new TextEncoder().encode('EMBD');
  return Buffer.concat([magic, u32(1, shapes.length), ...tensors, u32(tokens.length), ...tokens.flatMap(text)]);
}

/** The files of the folder of a BERT with this tokenizer.json, whose ids are below `tokens`. */
export function tinyFolder(tokenizer, tokens) {
  const config = {
    model_type: 'bert',
    hidden_act: 'gelu',
    vocab_size: tokens,
    hidden_size: HIDDEN,
    num_hidden_layers: 1,
    num_attention_heads: 1,
    intermediate_size: HIDDEN,
    max_position_embeddings: POSITIONS,
    layer_norm_eps: 1e-12,
  };
  const tensors = tensorShapes(tokens).map(([name, ...shape]) => [
    name,
    { shape, values: new Float32Array(shape.reduce((product, size) => product * size)).fill(0.5) },
  ]);
  const json = (value) => new TextEncoder().encode(JSON.stringify(value));
  return {
    'config.json': json(config),
    'tokenizer.json': json(tokenizer),
    'model.safetensors': safetensorsFile(Object.fromEntries(tensors)),
  };
}
