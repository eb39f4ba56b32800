// Text generators that 32-bit memory cannot hold: they are loaded into 64-bit memory, where the engine has it.

import { QuintetError, unsupported } from './errors.js';
import { hasMemory64 } from './features.js';
import type { GeneratorLoad, LoadedGeneratorBackend } from './generator_backend.js';
import type { GeneratorLoadOptions } from './generator_types.js';
import { KeptStream } from './kept_stream.js';
import type { NamedSource } from './model_folder.js';
import { isStream } from './source.js';
import type { LoadProgress } from './types.js';

/** What `memory64: true` asks for. */
export async function loadInMemory64(
  load: GeneratorLoad,
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
): Promise<LoadedGeneratorBackend> {
  const obstacle = obstacleTo(options);
  if (obstacle) throw unsupported(obstacle);
  const { backend, runtime } = await load(true, files, options);
  const fallbacks = [...runtime.fallbacks];
  if (options.threads !== 1) fallbacks.push('one thread: 64-bit memory has no more');
  return { backend, runtime: { ...runtime, fallbacks } };
}

/** Loads from streams, of which enough is kept to begin again in 64-bit memory. */
export async function loadStreams(
  load: GeneratorLoad,
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
): Promise<LoadedGeneratorBackend> {
  const streams: KeptStream[] = [];
  const keep = async ([name, source]: NamedSource): Promise<NamedSource> => {
    if (!isStream(source)) return [name, source];
    const stream = await KeptStream.open(source, options.signal);
    streams.push(stream);
    return [name, stream];
  };
  let reported = 0;
  const counting = withProgress(options, (progress) => {
    if (progress.stage === 'download') reported = progress.loaded;
    return true;
  });
  try {
    const kept: NamedSource[] = [];
    for (const file of files) kept.push(await keep(file));
    try {
      return await load(false, kept, counting);
    } catch (error) {
      if (!isOutOfMemory(error) || !streams.every(({ isWhole }) => isWhole)) throw error;
      return await loadAgain(error, load, kept, options, reported);
    }
  } finally {
    for (const stream of streams) await stream.close();
  }
}

export const isOutOfMemory = (error: unknown): error is QuintetError =>
  error instanceof QuintetError && error.reason === 'out_of_memory';

/** After 32-bit memory could not hold the model, and `reported` bytes were reported as loaded. */
export async function loadAgain(
  refusal: QuintetError,
  load: GeneratorLoad,
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
  reported: number,
): Promise<LoadedGeneratorBackend> {
  const obstacle = options.memory64 === false ? "it is kept from it by 'memory64: false'" : obstacleTo(options);
  if (obstacle) throw explained(refusal, obstacle);
  // Progress goes on where it was.
  const continued = withProgress(options, ({ stage, loaded }) =>
    stage === 'download' ? loaded > reported : stage === 'prepare',
  );
  return loadInMemory64(load, files, continued);
}

function explained({ code, message, reason, format, offset, tensor }: QuintetError, obstacle: string): QuintetError {
  const details = { reason, format, offset, tensor };
  return new QuintetError(code, `${message}; what needs more than 4 GB needs 64-bit memory: ${obstacle}`, details);
}

function obstacleTo({ variant, threads, wasm, memory64 }: GeneratorLoadOptions): string | undefined {
  if (!hasMemory64()) return 'this engine has no 64-bit memory';
  if (variant === 'baseline') return 'there is no baseline variant of it';
  if (typeof threads === 'number' && threads > 1) return `it has one thread, not ${threads}`;
  return wasm !== undefined && memory64 !== true ? "it is kept from it by 'wasm'" : undefined;
}

function withProgress(options: GeneratorLoadOptions, passes: (progress: LoadProgress) => boolean): GeneratorLoadOptions {
  const { onProgress } = options;
  if (!onProgress) return options;
  return { ...options, onProgress: (progress) => void (passes(progress) && onProgress.call(options, progress)) };
}
