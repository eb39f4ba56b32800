// Reads adapters in the thread of the engine, and gives their products to a conversion. Loaded with the first one.

import { inputError, QuintetError, unsupported } from '../../base/errors.js';
import type { ModelInfo, TensorInfo } from '../../base/types.js';
import { using } from '../../engine/load/feed.js';
import { feedWanted } from '../../engine/load/feed_wanted.js';
import { type NativeReader, parseModelInfo, unwrap } from '../../engine/native.js';
import type { Engine } from '../../engine/start/engine.js';
import type { NativeConverter, NativeFilesModule } from '../../inspect/native.js';
import type { RandomAccessSource } from '../../sources/bytes/byte_source.js';
import type { OpenableFile } from '../../sources/types.js';
import { wholeSource } from '../../sources/whole_file.js';
import { configFile, type PeftConfig, parsePeftConfig } from './peft_config.js';

const maxConfigBytes = 1 << 20;

/** Where an adapter's tensor belongs. */
interface Place {
  /** The name of the model's matrix, in the naming of the adapter. */
  matrix: string;
  isUp: boolean;
}

/** The tensors of an adapter for one matrix: W + scale * B A. */
interface Factors {
  a?: TensorInfo;
  b?: TensorInfo;
}

/** The names and scales of an adapter's tensors. */
interface Naming {
  /** Empty for PEFT. */
  architecture: string;
  placeOf(tensor: string): Place | undefined;
  /** Throws if the rank of a matrix is not the expected one. */
  scaleOf(matrix: string, rank: number): number;
}

export class AdapterMerging {
  constructor(
    private readonly engine: Engine<NativeFilesModule>,
    private readonly converter: NativeConverter,
    private readonly open: (file: OpenableFile) => Promise<RandomAccessSource>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** `files`: one GGUF file, or the two of PEFT. */
  async merge(files: readonly OpenableFile[], scale: number): Promise<void> {
    const tensors = files.at(-1)!;
    const [description] = files.filter((file) => file !== tensors);
    if (files.length > 2 || (description && !description.name.endsWith(configFile)))
      throw inputError('mismatch', `an adapter is a GGUF file, or ${configFile} and its tensors`);
    const config = description && parsePeftConfig(await this.bytesOf(description));
    const source = await this.open(tensors);
    const info = await this.inspect(source);
    const naming = config ? peftNaming(info, config) : ggufNaming(info);
    for (const [matrix, { a, b }] of factorsIn(info, naming)) {
      const rank = a?.shape[0];
      if (!a || !b || a.shape.length !== 2 || b.shape.length !== 2 || b.shape[1] !== rank || !rank)
        throw broken((a ?? b)!.name, 'has no counterpart of its rank');
      const factor = scale * naming.scaleOf(matrix, rank);
      const [valuesOfA, valuesOfB] = [await this.values(source, a), await this.values(source, b)];
      this.engine.run(() =>
        unwrap(this.converter.merge(matrix, naming.architecture, factor, transposed(valuesOfA, rank), valuesOfB)),
      );
    }
  }

  private async bytesOf(file: OpenableFile): Promise<Uint8Array> {
    return wholeSource(await file.open(this.signal), file.name, maxConfigBytes);
  }

  private async inspect(source: RandomAccessSource): Promise<ModelInfo> {
    return parseModelInfo(
      await this.read(source, (native) => new native.Inspector('', source.size, true, '{}')),
      source.size,
    );
  }

  private async values(source: RandomAccessSource, { name, dtype }: TensorInfo): Promise<Float32Array> {
    if (!/^(f32|f16|bf16)$/i.test(dtype))
      throw unsupported(`${name}: an adapter must be F32, F16 or BF16, not ${dtype}`);
    const { data } = await this.read(source, (native) => new native.TensorReader('', source.size, name, true));
    if (!data.every(Number.isFinite)) throw broken(name, 'has a value that is not finite');
    return data;
  }

  private read<T>(source: RandomAccessSource, create: (native: NativeFilesModule) => NativeReader<T>): Promise<T> {
    const { engine, signal } = this;
    return using(
      engine,
      () => engine.run(create),
      async (reader) => {
        await feedWanted(engine, reader, source, { signal });
        return engine.run(() => unwrap(reader.finish()));
      },
    );
  }
}

/** [rank][columns] becomes [columns][rank]. */
function transposed(a: Float32Array, rank: number): Float32Array {
  const columns = a.length / rank;
  return a.map((_, i) => a[(i % rank) * columns + Math.floor(i / rank)]!);
}

function factorsIn({ tensors }: ModelInfo, naming: Naming): Map<string, Factors> {
  const factors = new Map<string, Factors>();
  for (const tensor of tensors) {
    const place = naming.placeOf(tensor.name);
    if (!place)
      throw unsupported(
        `${tensor.name}: only the matrices of LoRA are supported, without biases, magnitudes, embeddings and saved modules`,
      );
    const { matrix, isUp } = place;
    const entry = factors.get(matrix) ?? {};
    factors.set(matrix, { ...entry, [isUp ? 'b' : 'a']: tensor });
  }
  if (factors.size === 0) throw new QuintetError('FORMAT', 'the adapter has no tensors', { reason: 'missing' });
  return factors;
}

function peftNaming({ format }: ModelInfo, config: PeftConfig): Naming {
  if (format !== 'safetensors') throw unsupported(`the tensors of an adapter of PEFT are safetensors, not ${format}`);
  return {
    architecture: '',
    placeOf(tensor) {
      const [, module, part] = /^base_model\.model\.(.+)\.lora_([AB])\.weight$/.exec(tensor) ?? [];
      return module === undefined ? undefined : { matrix: `${module}.weight`, isUp: part === 'B' };
    },
    scaleOf(matrix, rank) {
      const module = matrix.slice(0, matrix.lastIndexOf('.'));
      if (config.rankOf(module) !== rank) throw broken(matrix, `has rank ${rank}, but ${configFile} another one`);
      return config.scaleOf(module);
    },
  };
}

/** Reads the metadata as llama.cpp does (src/llama-adapter.cpp). */
function ggufNaming({ format, metadata }: ModelInfo): Naming {
  if (format === 'safetensors') throw inputError('missing', `there is no ${configFile} before the tensors`);
  if (format !== 'gguf') throw unsupported('an adapter is a GGUF file or a folder of PEFT');
  if (metadata['general.type'] !== 'adapter' || metadata['adapter.type'] !== 'lora')
    throw inputError('mismatch', 'the file is not an adapter: general.type must be adapter, adapter.type lora');
  const alpha = metadata['adapter.lora.alpha'];
  if (typeof alpha !== 'number')
    throw new QuintetError('FORMAT', 'there is no adapter.lora.alpha', { format, reason: 'missing' });
  return {
    architecture: String(metadata['general.architecture']),
    placeOf(tensor) {
      const [, matrix, part] = /^(.+)\.lora_([ab])$/.exec(tensor) ?? [];
      return matrix === undefined ? undefined : { matrix, isUp: part === 'b' };
    },
    scaleOf: (_, rank) => (alpha === 0 ? 1 : alpha / rank),
  };
}

const broken = (tensor: string, what: string) =>
  new QuintetError('FORMAT', `adapter: ${tensor} ${what}`, { reason: 'mismatch', tensor });
