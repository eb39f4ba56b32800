// Keeps the vectors of a model for the next build, which then computes those of new texts alone. A vector has the same
// values whether it was kept or not, so both builds write the same bytes.

import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

const keyBytes = 16;
/** A vector's largest value, as float32. */
const scaleBytes = 4;

/** The inputs whose vectors are kept. */
interface TextModel {
  readonly fingerprint: string;
  readonly dimension: number;
  vectorsOf(texts: readonly string[]): Promise<Float32Array>;
}

export class KeptVectors {
  /** Records of a key, the largest value, and a byte a value; by key. */
  private readonly used = new Map<string, Uint8Array>();

  private constructor(
    private readonly model: TextModel,
    private readonly path: string,
    private readonly old: ReadonlyMap<string, Uint8Array>,
  ) {}

  /** `path`: the file that keeps them. */
  static async open(model: TextModel, path: string): Promise<KeptVectors> {
    const bytes = await readFile(path).catch(() => new Uint8Array(0));
    const length = recordBytes(model.dimension);
    const old = new Map<string, Uint8Array>();
    // Vectors of other models have other keys, and perhaps another length.
    for (let at = 0; at + length <= bytes.length; at += length) {
      const record = bytes.subarray(at, at + length);
      old.set(keyIn(record), record);
    }
    return new KeptVectors(model, path, old);
  }

  async vectorsOf(texts: readonly string[]): Promise<Float32Array> {
    const { dimension } = this.model;
    const keys = texts.map((text) => this.keyOf(text));
    const missing = new Map<string, string>();
    keys.forEach((key, i) => {
      const kept = this.old.get(key);
      if (kept) this.used.set(key, kept);
      else if (!this.used.has(key)) missing.set(key, texts[i]!);
    });
    if (missing.size > 0) {
      const vectors = await this.model.vectorsOf([...missing.values()]);
      [...missing.keys()].forEach((key, i) => {
        this.used.set(key, recordOf(key, vectors.subarray(i * dimension, (i + 1) * dimension)));
      });
    }
    const all = new Float32Array(texts.length * dimension);
    for (const [i, key] of keys.entries()) copyVector(this.used.get(key)!, all, i * dimension);
    return all;
  }

  /** Replaces the kept vectors by those that were used. */
  async commit(): Promise<void> {
    const temporary = `${this.path}.${process.pid}.tmp`;
    await writeFile(temporary, Buffer.concat([...this.used.values()]));
    await rename(temporary, this.path);
  }

  private keyOf(text: string): string {
    const hash = createHash('sha256').update(`${this.model.fingerprint} `).update(text);
    return hash.digest().toString('latin1', 0, keyBytes);
  }
}

const recordBytes = (dimension: number): number => keyBytes + scaleBytes + dimension;

const keyIn = (record: Uint8Array): string => Buffer.from(record.subarray(0, keyBytes)).toString('latin1');

function recordOf(key: string, vector: Float32Array): Uint8Array {
  const record = Buffer.alloc(recordBytes(vector.length));
  record.write(key, 'latin1');
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  record.writeFloatLE(largest, keyBytes);
  vector.forEach((value, i) => {
    record.writeInt8(largest > 0 ? Math.round((127 * value) / largest) : 0, keyBytes + scaleBytes + i);
  });
  return record;
}

/** Puts the vector of a record into another array, from a place on. */
function copyVector(record: Uint8Array, target: Float32Array, at: number): void {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const unit = view.getFloat32(keyBytes, true) / 127;
  const values = new Int8Array(record.buffer, record.byteOffset + keyBytes + scaleBytes);
  const dimension = record.length - keyBytes - scaleBytes;
  for (let i = 0; i < dimension; ++i) target[at + i] = unit * values[i]!;
}
