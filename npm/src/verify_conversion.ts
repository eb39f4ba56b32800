// A converted model beside the one it was made from, tensor by tensor, where the engine runs.

import { abortable } from './abort.js';
import { obtainConvertEngine } from './convert_engine.js';
import { nativeSettings } from './convert_model.js';
import type { Engine } from './engine.js';
import { feedWanted } from './feed.js';
import { orderedFiles } from './model_folder.js';
import { ModelInputs } from './model_inputs.js';
import { unwrap, type NativeVerifier } from './native.js';
import { readAhead } from './read_ahead.js';
import type { ConvertOptions, ModelFolder, ModelSource } from './types.js';

export interface TensorComparison {
  tensor: string;
  /** The largest difference of two values. */
  maxError: number;
  /** Of all values; not a number where one of them is none. */
  cosine: number;
}

/** `source` and `options` as they were given to `convert`. */
export async function* convertedFrom(
  source: ModelSource | ModelFolder,
  options: ConvertOptions,
  output: ModelSource,
): AsyncGenerator<TensorComparison, void, undefined> {
  const { signal } = options;
  const engine = await abortable(obtainConvertEngine(), signal);
  const verifier = engine.run((native) => new native.Verifier(nativeSettings(options)));
  const inputs = new ModelInputs(engine, verifier, signal);
  try {
    await inputs.describe(orderedFiles(source));
    const written = await inputs.open(output);
    engine.run(() => unwrap(verifier.beginOutput(written.size)));
    await feedWanted(engine, verifier, written, signal);
    engine.run(() => unwrap(verifier.endOutput()));
    engine.run(() => unwrap(verifier.plan()));
    const compared = () => comparisons(engine, verifier);
    const ahead = readAhead(written);
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
  // JSON knows no NaN.
  return rows.map(({ tensor, maxError, cosine }) => ({
    tensor: String(tensor),
    maxError: Number(maxError ?? NaN),
    cosine: Number(cosine ?? NaN),
  }));
}
