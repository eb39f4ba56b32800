// ResNet-18 of full width as tinyRuntime files, which are too large for a repository.

const classes = 1000;
const group = 64; // of DQ; where a filter is not a multiple of it, the filter is a group

function layersOf() {
  const convs = [{ kernel: 7, stride: 2, in: 3, out: 64 }];
  let before = 64;
  for (const [stage, width] of [64, 128, 256, 512].entries()) {
    for (const block of [0, 1]) {
      const stride = stage > 0 && block === 0 ? 2 : 1;
      convs.push({ kernel: 3, stride, in: before, out: width }, { kernel: 3, stride: 1, in: width, out: width });
      if (stride === 2) convs.push({ kernel: 1, stride, in: before, out: width });
      before = width;
    }
  }
  return { convs, linear: { kernel: 1, in: before, out: classes } };
}

const { convs, linear } = layersOf();
const layers = [...convs, linear];
const filterOf = (layer) => layer.kernel ** 2 * layer.in;
const weightsOf = (layer) => filterOf(layer) * layer.out;
const groupOf = (layer) => (filterOf(layer) % group === 0 ? group : filterOf(layer));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// Pseudo-random, in [-100, 100]. Repeated, for networks of real size are long.
const pattern = Int8Array.from({ length: 8191 }, (_, i) => ((i * i * 7919 + i * 31) % 201) - 100);

/** Little-endian numbers, one after another. */
class Bytes {
  view = new DataView(new ArrayBuffer(64 << 20));
  length = 0;

  integers(...numbers) {
    for (const number of numbers) this.view.setInt32((this.length += 4) - 4, number, true);
  }
  floats(...numbers) {
    for (const number of numbers) this.view.setFloat32((this.length += 4) - 4, number, true);
  }
  /** `numbers`, a typed array, again and again. */
  fill(numbers, count) {
    const all = new Uint8Array(this.view.buffer);
    const bytes = new Uint8Array(numbers.buffer);
    const end = this.length + count * numbers.BYTES_PER_ELEMENT;
    for (; this.length < end; this.length += bytes.length) all.set(bytes.subarray(0, end - this.length), this.length);
    this.length = end;
  }
  get whole() {
    return new Uint8Array(this.view.buffer, 0, this.length);
  }
}

/** Records of the layers; `record` gets what all kinds begin with written, and writes the rest. */
function writeTable(bytes, record) {
  for (const layer of convs) {
    bytes.integers(layer.kernel, layer.stride, layer.kernel >> 1, layer.in, layer.out);
    record(layer);
  }
  bytes.integers(linear.in, linear.out);
  record(linear);
}

// Keeps activations from growing from layer to layer.
const scaleOf = (layer) => Math.sqrt(6 / filterOf(layer));

function vanilla() {
  const bytes = new Bytes();
  bytes.integers(classes, convs.length, 1, 0);
  let offset = 0;
  writeTable(bytes, (layer) => {
    bytes.integers(offset, 1);
    offset += weightsOf(layer) + layer.out;
  });
  for (const layer of layers) {
    bytes.fill(
      Float32Array.from(pattern, (value) => (value / 200) * scaleOf(layer)),
      weightsOf(layer) + layer.out,
    );
  }
  return { file: bytes.whole, weights: 4 * offset };
}

function dq8() {
  const bytes = new Bytes();
  const parameters = sum(layers.map((layer) => weightsOf(layer) + layer.out));
  bytes.integers(classes, convs.length, 1, 0, 0, parameters, 1);
  let offset = 0;
  let scales = 0;
  writeTable(bytes, (layer) => {
    bytes.integers(offset, scales, groupOf(layer), layer.out);
    offset += weightsOf(layer) + layer.out;
    scales += 2 * (weightsOf(layer) / groupOf(layer) + 1);
  });
  bytes.fill(pattern, parameters);
  for (const layer of layers) {
    const groups = weightsOf(layer) / groupOf(layer);
    bytes.fill(new Float32Array(64).fill(scaleOf(layer) / 200), groups);
    bytes.fill(
      Int32Array.from(pattern, (value) => value >> 3),
      groups,
    );
    bytes.floats(0.001);
    bytes.integers(0);
  }
  return { file: bytes.whole, weights: parameters + 4 * scales };
}

function sq8() {
  const bytes = new Bytes();
  const activations = 32;
  const parameters = sum(layers.map((layer) => weightsOf(layer) + 4 * layer.out));
  bytes.integers(classes, convs.length, 1, 0, activations, parameters, 1);
  let offset = 0;
  writeTable(bytes, (layer) => {
    bytes.integers(offset);
    bytes.floats(scaleOf(layer) / 200);
    bytes.integers(3);
    bytes.floats(0.02);
    bytes.integers(100, 1);
    offset += weightsOf(layer) + 4 * layer.out;
  });
  for (let i = 0; i < activations; ++i) {
    bytes.floats(0.02);
    bytes.integers(100);
  }
  for (const layer of layers) {
    bytes.fill(pattern, weightsOf(layer));
    bytes.fill(Int32Array.from(pattern), layer.out);
  }
  return { file: bytes.whole, weights: parameters };
}

/** For each kind a function that gives { file, weights }: the bytes of the file, and of its parameters alone. */
export const wideResNets = { vanilla, dq8, sq8 };

/** In float32: the activation after the first convolution. */
export const largestActivation = 4 * 112 * 112 * 64;
