// The bundled embedder as an ONNX file: the same 8-bit weights with the same scales.
import { writeOnnx } from '../../bench/models/encoder/bert.mjs';
import { QuantizedLayers } from '../../bench/models/encoder/onnx_layers.mjs';
import { DataType } from '../../bench/models/files/onnx_graph.mjs';
import { inspect, readTensor } from '../../dist/node.js';
import { embedder } from '../../models/index.js';

/** The largest weight of a row becomes this value, so requantizing gives the same integers. */
const WEIGHT_MAXIMUM = 127;

export async function writeEmbedderOnnx(path) {
  const info = await inspect(embedder);
  const tensors = new Map();
  for (const { name } of info.tensors) {
    if (!name.endsWith('.scale')) tensors.set(name, await readTensor(embedder, name));
  }
  writeOnnx(path, shapeOf(info.config, tensors), tensors, (graph) => new RowLayers(graph));
}

/** Published models have one scale for the whole embedding table, this one has one per row. */
class RowLayers extends QuantizedLayers {
  #graph;

  constructor(graph) {
    super(graph, { weightMaximum: WEIGHT_MAXIMUM });
    this.#graph = graph;
  }

  embedding(ids, name, table) {
    const graph = this.#graph;
    const { values, scales } = quantizeRows(table);
    graph.initializer(`${name}_quantized`, DataType.INT8, table.shape, values);
    graph.floats(`${name}_scales`, [table.shape[0], 1], scales);
    const rows = graph.node('Cast', [graph.node('Gather', [`${name}_quantized`, ids])], { to: DataType.FLOAT });
    return graph.node('Mul', [rows, graph.node('Gather', [`${name}_scales`, ids])]);
  }
}

function quantizeRows({ shape: [rows, columns], data }) {
  const values = new Int8Array(data.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const weights = data.subarray(row * columns, (row + 1) * columns);
    scales[row] = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / WEIGHT_MAXIMUM || 1;
    values.set(
      Int8Array.from(weights, (weight) => Math.round(weight / scales[row])),
      row * columns,
    );
  }
  return { values, scales };
}

function shapeOf(config, tensors) {
  return {
    layers: config.num_layers,
    hidden: config.hidden_size,
    heads: config.num_attention_heads,
    positions: config.max_position_emb,
    tokenTypes: tensors.get('embeddings.token_type_embeddings.weight').shape[0],
    layerNormEpsilon: 1e-12,
  };
}
