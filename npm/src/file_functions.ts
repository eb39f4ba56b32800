// inspect, validate and readTensor, where the engine runs.

import type { RandomAccessSource } from './byte_source.js';
import { feedAll, feedWanted, totalOf, using } from './feed.js';
import { fetchSeekable } from './http_ranges.js';
import { obtainEngine } from './model_engine.js';
import { parseModelInfo } from './model_info.js';
import { unwrap, type NativeIntake, type NativeModule } from './native.js';
import { openSource } from './source.js';
import type { ModelInfo, ModelSource } from './types.js';

/** A tensor's values, whatever type they are stored in. */
export interface TensorValues {
  dtype: string;
  shape: number[];
  data: Float32Array;
}

export async function inspectModel(source: ModelSource): Promise<ModelInfo> {
  const { value, bytes } = await readWith(source, true, (native, total, seekable) =>
    new native.Inspector('', total, seekable),
  );
  return parseModelInfo(value, bytes);
}

export async function validateModel(source: ModelSource): Promise<ModelInfo> {
  const { value, bytes } = await readWith(source, false, (native, total) => new native.Validator('', total));
  return parseModelInfo(value, bytes);
}

export async function readModelTensor(source: ModelSource, name: string): Promise<TensorValues> {
  const { value } = await readWith(source, true, (native, total, seekable) =>
    new native.TensorReader('', total, name, seekable),
  );
  return value;
}

/** `partly`: where the source can be read in any order, only what the reader asks for is read. */
async function readWith<T>(
  source: ModelSource,
  partly: boolean,
  create: (native: NativeModule, total: number, seekable: boolean) => NativeIntake<T>,
): Promise<{ value: T; bytes: number }> {
  const opened = await openSource(source, { download: partly ? fetchSeekable : undefined });
  const seekable = partly && opened.readAt !== undefined;
  try {
    const engine = await obtainEngine({ variant: 'auto', threads: 1 });
    const start = () => engine.run((native) => create(native, totalOf(opened), seekable));
    return await using(engine, start, async (intake) => {
      const bytes = seekable
        ? await feedWanted(engine, intake, opened as RandomAccessSource)
        : await feedAll(engine, intake, opened, {});
      return { value: engine.run(() => unwrap(intake.finish())), bytes };
    });
  } finally {
    await opened.close();
  }
}
