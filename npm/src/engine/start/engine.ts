// Running instances of the WebAssembly modules. All objects of a thread share one instance per module, so that the next
// model reuses the memory of a closed one. An instance that trapped is never used again.

import { messageOf, QuintetError } from '../../base/errors.js';
import type { RuntimeInfo } from '../../base/types.js';
import { registerMemory } from './memory_gauge.js';
import type { NativeInstance, NativeKernels } from '../native.js';

/** How an engine runs. Only the caller knows whether that is in a worker. */
export type EngineRuntime = Omit<RuntimeInfo, 'worker'>;

/** One instance of a module. */
export class Engine<Native extends NativeInstance = NativeInstance> {
  private broken?: QuintetError;
  private readonly forgetMemory: () => void;

  constructor(
    private readonly native: Native,
    readonly runtime: EngineRuntime,
    private readonly endThreads?: () => void,
  ) {
    this.forgetMemory = registerMemory(native);
    if (endThreads) forgotten.register(this, endThreads);
  }

  get usable(): boolean {
    return this.broken === undefined;
  }

  /** All native code is called through this method. A trap becomes an error, and the instance is discarded. */
  run<T>(job: (native: Native) => T): T {
    if (this.broken) throw this.broken;
    try {
      return job(this.native);
    } catch (error) {
      if (error instanceof QuintetError) throw error;
      this.forgetMemory();
      this.endThreads?.();
      throw (this.broken = trapError(error));
    }
  }
}

const forgotten = new FinalizationRegistry<() => void>((endThreads) => endThreads());

function trapError(cause: unknown): QuintetError {
  // The core returns errors as values. It aborts only if the C++ library runs out of memory.
  if (messageOf(cause).startsWith('Aborted')) {
    return new QuintetError('MEMORY', 'the WebAssembly memory is exhausted', { reason: 'out_of_memory', cause });
  }
  return new QuintetError('INTERNAL', `the WebAssembly module crashed: ${messageOf(cause)}`, { reason: 'trap', cause });
}

export type RunningEngines<Key, Native extends NativeInstance> = Pick<
  Map<Key, Promise<Engine<Native>>>,
  'get' | 'set' | 'delete'
>;

/** The running engine for a key. Starts one if there is none that works. */
export async function sharedEngine<Key, Native extends NativeInstance>(
  engines: RunningEngines<Key, Native>,
  key: Key,
  start: () => Promise<Engine<Native>>,
): Promise<Engine<Native>> {
  const running = engines.get(key);
  if (running && (await running).usable) return running;
  if (engines.get(key) !== running) return sharedEngine(engines, key, start);
  const starting = start();
  engines.set(key, starting);
  starting.catch(() => engines.delete(key));
  return starting;
}

/** Selects the fastest kernels that compute correctly. Without `stepDown`, only the module's own choice is accepted. */
export function engineOf<Native extends NativeInstance>(
  native: Native,
  runtime: Omit<EngineRuntime, 'kernels'>,
  stepDown: boolean,
  endThreads?: () => void,
): Engine<Native> {
  if (!hasKernels(native)) return new Engine(native, { ...runtime, kernels: 'none' }, endThreads);
  const slower = native.kernelVariants();
  slower.length = slower.indexOf(native.activeKernels());
  const { fallbacks } = runtime;
  for (;;) {
    const kernels = native.activeKernels();
    const wrong = native.selfTest();
    if (!wrong) return new Engine(native, { ...runtime, kernels }, endThreads);
    fallbacks.push({ code: 'kernels', message: `${kernels} kernels not used: ${wrong} computes wrong results here` });
    const next = stepDown ? slower.pop() : undefined;
    if (next === undefined || !native.forceKernels(next)) {
      throw new QuintetError('INTERNAL', fallbacks.map(({ message }) => message).join('; '), { reason: 'self_test' });
    }
  }
}

const hasKernels = <Native extends NativeInstance>(native: Native): native is Native & NativeKernels =>
  (native as Partial<NativeKernels>).kernelVariants !== undefined;
