// Builds an ONNX graph node by node. Field numbers are those of onnx.proto3.
import { Buffer } from 'node:buffer';
import { closeSync, openSync, writeSync } from 'node:fs';

export const DataType = Object.freeze({ FLOAT: 1, UINT8: 2, INT8: 3, INT32: 6, INT64: 7 });
const AttributeType = { FLOAT: 1, INT: 2, INTS: 7 };
const IR_VERSION = 8;

/** Marks an attribute as a float even where its value is a whole number. */
export const float = (value) => ({ float: value });

export class GraphBuilder {
  #name;
  #opset;
  #fields = [];
  #nodes = 0;
  #constants = new Set();

  /** `opset`: the version of the operators. */
  constructor(name, opset) {
    this.#name = name;
    this.#opset = opset;
  }

  input(name, type, shape) {
    this.#fields.push(messageField(11, valueInfo(name, type, shape)));
    return name;
  }

  output(name, type, shape) {
    this.#fields.push(messageField(12, valueInfo(name, type, shape)));
  }

  /** A constant, written once. `data` is a typed array in the type's own layout. */
  initializer(name, type, shape, data) {
    if (this.#constants.has(name)) return name;
    this.#constants.add(name);
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const dims = shape.map((size) => varintField(1, size));
    this.#fields.push(messageField(5, [dims, varintField(2, type), stringField(8, name), bytesField(9, bytes)]));
    return name;
  }

  floats(name, shape, values) {
    return this.initializer(name, DataType.FLOAT, shape, new Float32Array(values));
  }

  integers(name, values) {
    return this.initializer(name, DataType.INT64, [values.length], BigInt64Array.from(values, BigInt));
  }

  integer(name, value) {
    return this.initializer(name, DataType.INT64, [], BigInt64Array.of(BigInt(value)));
  }

  /** Adds a node with one output and gives the output's name. */
  node(operator, inputs, attributes = {}) {
    const [output] = this.nodeWithOutputs(operator, inputs, [`${operator}_${this.#nodes}`], attributes);
    return output;
  }

  nodeWithOutputs(operator, inputs, outputs, attributes = {}) {
    this.#fields.push(
      messageField(1, [
        inputs.map((name) => stringField(1, name)),
        outputs.map((name) => stringField(2, name)),
        stringField(3, `${operator}_${this.#nodes++}`),
        stringField(4, operator),
        Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ]),
    );
    return outputs;
  }

  write(path) {
    const opset = messageField(8, [stringField(1, ''), varintField(2, this.#opset)]);
    const graph = messageField(7, [...this.#fields, stringField(2, this.#name)]);
    const file = openSync(path, 'w');
    try {
      for (const bytes of [varintField(1, IR_VERSION), graph, opset].flat(Infinity)) writeSync(file, bytes);
    } finally {
      closeSync(file);
    }
  }
}

function valueInfo(name, type, shape) {
  const dims = shape.map((size) =>
    messageField(1, [typeof size === 'number' ? varintField(1, size) : stringField(2, size)]),
  );
  const tensorType = messageField(1, [varintField(1, type), messageField(2, dims)]);
  return [stringField(1, name), messageField(2, tensorType)];
}

function attribute(name, value) {
  return messageField(5, [stringField(1, name), ...attributeValue(value)]);
}

function attributeValue(value) {
  if (Array.isArray(value)) {
    return [...value.map((item) => varintField(8, item)), varintField(20, AttributeType.INTS)];
  }
  if (typeof value === 'object') return [floatField(2, value.float), varintField(20, AttributeType.FLOAT)];
  return [varintField(3, value), varintField(20, AttributeType.INT)];
}

// The part of protobuf's wire format that a model needs. A message is a list of byte arrays that is only joined when it
// is written: weights of many megabytes are never copied.
const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

function varintField(number, value) {
  return [tag(number, VARINT), varint(value)];
}

function floatField(number, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [tag(number, FIXED32), bytes];
}

function stringField(number, text) {
  return bytesField(number, Buffer.from(text, 'utf8'));
}

function bytesField(number, bytes) {
  return messageField(number, [bytes]);
}

/** A message inside a message; `parts` may be nested lists. */
function messageField(number, parts) {
  const flat = parts.flat(Infinity);
  const length = flat.reduce((sum, bytes) => sum + bytes.byteLength, 0);
  return [tag(number, LENGTH_DELIMITED), varint(length), ...flat];
}

function tag(number, wireType) {
  return varint((number << 3) | wireType);
}

function varint(value) {
  const bytes = [];
  // Negative numbers are written as their 64-bit two's complement.
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
