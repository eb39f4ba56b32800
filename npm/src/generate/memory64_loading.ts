// Text generators that 32-bit memory cannot hold: they are loaded into 64-bit memory, where the engine has it.

import { QuintetError, unsupported } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import type { LoadProgress, ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import { KeptStream } from '../bytes/kept_stream.js';
import type { NamedSource } from '../bytes/named_source.js';
import { hasMemory64 } from '../engine/features.js';
import { openSource } from '../platform/sources.js';
import { loadModel, type Kind, type LoadedModel } from '../remote/loading.js';
import type { GeneratorCalls, GeneratorDescription, GeneratorHostOptions } from './calls.js';
import type { GeneratorLoadOptions } from './types.js';

type LoadedGenerator = LoadedModel<GeneratorCalls, GeneratorDescription>;

/** Loads into 32-bit memory. */
type LoadUsually = (files: readonly NamedSource[], options: GeneratorLoadOptions) => Promise<LoadedGenerator>;

type OwnOptions = Pick<GeneratorHostOptions, 'settings'>;

const engine = lazyPart(() => import('./memory64_engine.js'), 'loadMemory64Host');

const kind: Kind<GeneratorCalls, GeneratorDescription, GeneratorHostOptions> = {
  script: 'memory64_worker',
  inThread: async () => (await engine()).loadMemory64Host,
};

/**
 * Where `memory64: true` asks for it; where there are streams; and after `refusal`, when 32-bit memory could not hold the
 * model, and `reported` bytes were reported as loaded.
 */
export async function loadOtherwise(
  loadUsually: LoadUsually,
  files: readonly NamedSource[],
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
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
): Promise<LoadedGenerator> {
  const obstacle = obstacleTo(options);
  if (obstacle) throw unsupported(obstacle);
  const { backend, runtime } = await loadModel(kind, files, options, own);
  const fallbacks = [...runtime.fallbacks];
  if (options.threads !== 1) fallbacks.push('one thread: 64-bit memory has no more');
  return { backend, runtime: { ...runtime, fallbacks } };
}

/** Enough of streams is kept to begin again in 64-bit memory. */
async function loadStreams(
  loadUsually: LoadUsually,
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
): Promise<LoadedGenerator> {
  const streams = new Map<ModelSource, KeptStream>();
  const again = () => files.map(({ name, source }): NamedSource => ({ name, source: streams.get(source)?.again() ?? source }));
  let reported = 0;
  const counting = withProgress(options, ({ stage, loaded }) => {
    if (stage === 'download') reported = loaded;
    return true;
  });
  try {
    for (const { source } of files) {
      if (isStream(source)) streams.set(source, new KeptStream(await openSource(source, { signal: options.signal })));
    }
    try {
      return await loadUsually(again(), counting);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const isWhole = [...streams.values()].every((stream) => stream.isWhole);
      if (!isWhole) throw explained(error, "of the stream too much was read to begin again; 'memory64: true' begins there");
      return await loadAgain(error, again(), options, own, reported);
    }
  } finally {
    for (const stream of streams.values()) await stream.close();
  }
}

/** What can be read once only. */
const isStream = (source: ModelSource): boolean =>
  typeof source !== 'string' && !ArrayBuffer.isView(source) && !isA(source, 'URL', 'ArrayBuffer', 'Blob', 'File');

const isOutOfMemory = (error: unknown): error is QuintetError =>
  error instanceof QuintetError && error.reason === 'out_of_memory';

async function loadAgain(
  refusal: QuintetError,
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
  own: OwnOptions,
  reported: number,
): Promise<LoadedGenerator> {
  const obstacle = options.memory64 === false ? "it is kept from it by 'memory64: false'" : obstacleTo(options);
  if (obstacle) throw explained(refusal, obstacle);
  // Progress goes on where it was.
  const continued = withProgress(options, ({ stage, loaded }) =>
    stage === 'download' ? loaded > reported : stage === 'prepare',
  );
  return loadInMemory64(files, continued, own);
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
  return { ...options, onProgress: (progress) => void (passes(progress) && onProgress(progress)) };
}
