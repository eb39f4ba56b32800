// Loads text generators that do not fit 32-bit memory into 64-bit memory, if the engine has it.

import { QuintetError, unsupported } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadProgress, ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import { hasMemory64 } from '../engine/start/features.js';
import { ReplayableStream } from '../sources/bytes/replayable_stream.js';
import { openSource } from '../sources/open_source.js';
import type { ModelFile } from '../sources/types.js';
import { type HostSpec, type LoadedModel, loadModel } from '../worker/loading.js';
import type { GeneratorCalls, GeneratorDescription, GeneratorHostOptions } from './calls.js';
import type { GeneratorLoadOptions } from './types.js';

type LoadedGenerator = LoadedModel<GeneratorCalls, GeneratorDescription>;

/** Loads into 32-bit memory. */
type LoadUsually = (files: readonly ModelFile[], options: GeneratorLoadOptions) => Promise<LoadedGenerator>;

type OwnOptions = Pick<GeneratorHostOptions, 'settings'>;

const engine = lazyModule(() => import('./memory64_engine.js'), 'loadMemory64Host');

const kind: HostSpec<GeneratorCalls, GeneratorDescription, GeneratorHostOptions> = {
  script: 'memory64_worker',
  inThread: async () => (await engine()).loadMemory64Host,
};

/**
 * Used with `memory64: true`; if there are streams; and after `refusal`, when the model did not fit 32-bit memory and
 * `reported` bytes had been reported as loaded.
 */
export async function loadOtherwise(
  loadUsually: LoadUsually,
  files: readonly ModelFile[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
  refusal?: QuintetError,
  reported = 0,
): Promise<LoadedGenerator> {
  if (refusal) return loadAgain(refusal, files, options, own, reported);
  return options.memory64 === true
    ? loadInMemory64(files, options, own)
    : loadStreams(loadUsually, files, options, own);
}

async function loadInMemory64(
  files: readonly ModelFile[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
): Promise<LoadedGenerator> {
  const obstacle = obstacleTo(options);
  if (obstacle) throw unsupported(obstacle);
  const { backend, runtime } = await loadModel(kind, files, options, own);
  const fallbacks = [...runtime.fallbacks];
  if (options.threads !== 1)
    fallbacks.push({ code: 'one_thread', message: 'one thread: 64-bit memory does not support more' });
  return { backend, runtime: { ...runtime, fallbacks } };
}

/** Keeps the beginning of streams, to be able to start again in 64-bit memory. */
async function loadStreams(
  loadUsually: LoadUsually,
  files: readonly ModelFile[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
): Promise<LoadedGenerator> {
  const streams = new Map<ModelSource, ReplayableStream>();
  const again = () =>
    files.map(({ name, source }): ModelFile => ({ name, source: streams.get(source)?.again() ?? source }));
  let reported = 0;
  const counting = withProgress(options, ({ stage, loaded }) => {
    if (stage === 'download') reported = loaded;
    return true;
  });
  try {
    for (const { source } of files) {
      if (isStream(source))
        streams.set(source, new ReplayableStream(await openSource(source, { signal: options.signal })));
    }
    try {
      return await loadUsually(again(), counting);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const isWhole = [...streams.values()].every((stream) => stream.isWhole);
      if (!isWhole)
        throw explained(error, "too much of the stream was read to start again, load with 'memory64: true'");
      return await loadAgain(error, again(), options, own, reported);
    }
  } finally {
    for (const stream of streams.values()) await stream.close();
  }
}

/** Whether a source can be read only once. */
const isStream = (source: ModelSource): boolean =>
  typeof source !== 'string' && !ArrayBuffer.isView(source) && !isA(source, 'URL', 'ArrayBuffer', 'Blob', 'File');

const isOutOfMemory = (error: unknown): error is QuintetError =>
  error instanceof QuintetError && error.reason === 'out_of_memory';

async function loadAgain(
  refusal: QuintetError,
  files: readonly ModelFile[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
  reported: number,
): Promise<LoadedGenerator> {
  const obstacle = options.memory64 === false ? "it is disabled by 'memory64: false'" : obstacleTo(options);
  if (obstacle) throw explained(refusal, obstacle);
  // Progress continues where it was.
  const continued = withProgress(options, ({ stage, loaded }) =>
    stage === 'download' ? loaded > reported : stage === 'prepare',
  );
  return loadInMemory64(files, continued, own);
}

function explained({ code, message, reason, format, offset, tensor }: QuintetError, obstacle: string): QuintetError {
  const details = { reason, format, offset, tensor };
  return new QuintetError(code, `${message}; models beyond 4 GB need 64-bit memory: ${obstacle}`, details);
}

function obstacleTo({ variant, threads, wasm, memory64 }: GeneratorLoadOptions): string | undefined {
  if (!hasMemory64()) return 'this engine has no 64-bit memory';
  if (variant === 'baseline') return 'it has no baseline variant';
  if (typeof threads === 'number' && threads > 1) return `it supports one thread, not ${threads}`;
  return wasm !== undefined && memory64 !== true
    ? "it is disabled by 'wasm', unless 'memory64: true' is given"
    : undefined;
}

function withProgress(
  options: GeneratorLoadOptions,
  passes: (progress: LoadProgress) => boolean,
): GeneratorLoadOptions {
  const { onProgress } = options;
  if (!onProgress) return options;
  return { ...options, onProgress: (progress) => void (passes(progress) && onProgress(progress)) };
}
