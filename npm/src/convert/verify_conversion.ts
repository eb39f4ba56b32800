// Compares a converted model with its source, tensor by tensor, in the thread of the engine.

import { abortable } from '../base/abort.js';
import type { ModelInput, ModelSource } from '../base/types.js';
import { feedWanted } from '../engine/load/feed_wanted.js';
import { unwrap } from '../engine/native.js';
import type { Engine } from '../engine/start/engine.js';
import { obtainFilesEngine } from '../inspect/engine.js';
import type { NativeVerifier } from '../inspect/native.js';
import { readAhead } from '../sources/bytes/read_ahead.js';
import { locate } from '../sources/locate.js';
import { openable } from '../sources/open_files.js';
import { convertReader, nativeSettings } from './client.js';
import { ModelInputs } from './model_inputs.js';
import type { ConvertOptions } from './options.js';

export interface TensorComparison {
  tensor: string;
  /** Largest difference between two values. */
  maxError: number;
  /** Cosine similarity of all values; NaN if they differ in one that is not finite. */
  cosine: number;
}

/** `source` and `options`: as passed to `convert`. */
export async function* convertedFrom(
  source: ModelInput,
  options: ConvertOptions,
  converted: ModelSource,
): AsyncGenerator<TensorComparison, void, undefined> {
  const { signal } = options;
  const engine = await abortable(obtainFilesEngine(), signal);
  const verifier = engine.run((native) => new native.Verifier(nativeSettings(options)));
  const inputs = new ModelInputs(engine, verifier, signal);
  try {
    const read = await locate(source, convertReader, options);
    const [written, ...files] = openable([{ name: '', source: converted }, ...read], []);
    await inputs.describe(files);
    const output = await inputs.open(written!);
    engine.run(() => unwrap(verifier.beginOutput(output.size)));
    await feedWanted(engine, verifier, output, { signal });
    engine.run(() => unwrap(verifier.endOutput()));
    engine.run(() => unwrap(verifier.plan()));
    const compared = () => comparisons(engine, verifier);
    const ahead = readAhead(output);
    for (let range; (range = engine.run(() => verifier.nextRange())); ) {
      yield* inputs.feedRange(range, compared, range.file < 0 ? ahead : undefined);
    }
    yield* compared();
  } finally {
    if (engine.usable) verifier.delete();
    await inputs.close();
  }
}

function comparisons(engine: Engine, verifier: NativeVerifier): TensorComparison[] {
  const rows = JSON.parse(engine.run(() => unwrap(verifier.report()))) as Record<keyof TensorComparison, unknown>[];
  // JSON has no NaN: it arrives as null.
  return rows.map(({ tensor, maxError, cosine }) => ({
    tensor: String(tensor),
    maxError: Number(maxError ?? NaN),
    cosine: Number(cosine ?? NaN),
  }));
}
