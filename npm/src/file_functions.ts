// inspect, validate and readTensor, where the engine runs.

import type { ByteSource } from './byte_source.js';
import { obtainEngine } from './engine.js';
import { feedAll, feedWanted, totalOf, using } from './feed.js';
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
  const { value, bytes } = await readWith(source, true, (native, opened) =>
    new native.Inspector('', totalOf(opened), opened.readAt !== undefined),
  );
  return parseModelInfo(value, bytes);
}

export async function validateModel(source: ModelSource): Promise<ModelInfo> {
  const { value, bytes } = await readWith(source, false, (native, opened) => new native.Validator('', totalOf(opened)));
  return parseModelInfo(value, bytes);
}

export async function readModelTensor(source: ModelSource, name: string): Promise<TensorValues> {
  const { value } = await readWith(source, false, (native, opened) =>
    new native.TensorReader('', totalOf(opened), name),
  );
  return value;
}

async function readWith<T>(
  source: ModelSource,
  seekable: boolean,
  create: (native: NativeModule, opened: ByteSource) => NativeIntake<T>,
): Promise<{ value: T; bytes: number }> {
  const opened = await openSource(source, { seekable });
  try {
    const engine = await obtainEngine({ variant: 'auto' });
    return await using(engine, () => engine.run((native) => create(native, opened)), async (intake) => {
      const bytes =
        seekable && opened.readAt
          ? await feedWanted(engine, intake, opened)
          : await feedAll(engine, intake, opened, {});
      return { value: engine.run(() => unwrap(intake.finish())), bytes };
    });
  } finally {
    await opened.close();
  }
}
