// inspect, validate and readTensor, where the engine runs.

import type { ByteSource } from './byte_source.js';
import { obtainEngine, type Engine } from './engine.js';
import { feedAll, feedWanted, totalOf, using } from './feed.js';
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
  const json = await readWith(source, true, (native, opened) =>
    new native.Inspector('', totalOf(opened), opened.readAt !== undefined),
  );
  return JSON.parse(json) as ModelInfo;
}

export async function validateModel(source: ModelSource): Promise<ModelInfo> {
  const json = await readWith(source, false, (native, opened) => new native.Validator('', totalOf(opened)));
  return JSON.parse(json) as ModelInfo;
}

export async function readModelTensor(source: ModelSource, name: string): Promise<TensorValues> {
  return readWith(source, false, (native, opened) => new native.TensorReader('', totalOf(opened), name));
}

async function readWith<T>(
  source: ModelSource,
  seekable: boolean,
  create: (native: NativeModule, opened: ByteSource) => NativeIntake<T>,
): Promise<T> {
  const opened = await openSource(source, { seekable });
  try {
    const engine = await obtainEngine({ variant: 'auto' });
    return await using(engine, () => engine.run((native) => create(native, opened)), (intake) =>
      readThrough(engine, intake, opened, seekable),
    );
  } finally {
    await opened.close();
  }
}

async function readThrough<T>(engine: Engine, intake: NativeIntake<T>, source: ByteSource, seekable: boolean): Promise<T> {
  if (seekable && source.readAt) await feedWanted(engine, intake, source);
  else await feedAll(engine, intake, source, {});
  return engine.run(() => unwrap(intake.finish()));
}
