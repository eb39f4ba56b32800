// Running instances of the WebAssembly modules, and how they are started: the build, its kernels and the number of
// threads. All objects of a thread share one instance per module, so that the next model reuses the memory of a closed
// one. An instance that trapped is never used again.

import { lacking, messageOf, QuintetError, unsupported } from '../../base/errors.js';
import type { Fallback } from '../../base/fallbacks.js';
import type { RuntimeInfo, WasmSource } from '../../base/types.js';
import type { NativeInstance, NativeKernels } from '../native.js';
import type { StartTeam } from '../threads/compute_task.js';
import { countThreads, oneThread, startComputeThreads } from '../threads/compute_threads.js';
import { hasRelaxedSimd, hasSimd } from './features.js';
import { importsMemory, moduleMemory, registerMemory } from './memory.js';
import { compileAt, compileModule, type Glue, instantiate, type OnModuleBytes, wasmError } from './wasm_module.js';

/** The environment of an engine. Only the caller knows whether it runs in a worker. */
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

export interface EngineChoice {
  variant: 'auto' | 'baseline' | 'relaxed';
  threads: number | 'auto';
  wasm?: WasmSource | undefined;
  /** Required for several threads. */
  startTeam?: StartTeam;
  /** Progress of the download of the module. Not called if the engine is already running. */
  onBytes?: OnModuleBytes | undefined;
}

type Variant = 'baseline' | 'relaxed';

const baseline = (reason: string): Fallback => ({ code: 'baseline', message: `baseline variant: ${reason}` });

/** A module, and the locations of its existing builds. */
export interface ModuleBuilds<Native> extends Partial<Record<Variant, () => URL>> {
  glue: Glue<Native>;
  /** A class that only this module has. */
  expected: keyof Native;
  /** Whether it supports threads, and so imports its memory. */
  threaded?: true;
  /** Whether it has 64-bit memory. */
  memory64?: true;
}

/** Options for starting a module. Fallbacks are added to `fallbacks`. */
interface Start {
  threads: number;
  /** Whether the module imports shared memory, if it imports any. */
  shared: boolean;
  startTeam: StartTeam | undefined;
  fallbacks: Fallback[];
  /** Whether slower kernels of the module are accepted. */
  stepDown: boolean;
}

export class VariantEngines<Native extends NativeInstance> {
  private readonly packaged = new Map<string, Promise<Engine<Native>>>();
  private readonly given = new WeakMap<object, Map<string, Promise<Engine<Native>>>>();

  constructor(private readonly builds: ModuleBuilds<Native>) {}

  /** The shared engine for a choice. Starts one if there is none that works. */
  obtain(choice: EngineChoice): Promise<Engine<Native>> {
    const { variant, threads, wasm } = choice;
    const named = wasm === undefined || typeof wasm === 'string' || wasm instanceof URL;
    const engines = named ? this.packaged : this.enginesOf(wasm);
    return sharedEngine(engines, `${threads} ${named ? (wasm ?? variant) : ''}`, async () => {
      try {
        return await this.start(choice);
      } catch (error) {
        throw await wasmError(error);
      }
    });
  }

  private enginesOf(wasm: object): Map<string, Promise<Engine<Native>>> {
    const engines = this.given.get(wasm) ?? new Map<string, Promise<Engine<Native>>>();
    this.given.set(wasm, engines);
    return engines;
  }

  private start(choice: EngineChoice): Promise<Engine<Native>> {
    const { variant, wasm } = choice;
    if (!hasSimd()) throw lacking('WebAssembly SIMD');
    if (wasm !== undefined) return this.startGiven(wasm, choice);
    if (variant === 'auto') return this.startFastest(choice);
    if (variant === 'relaxed' && !hasRelaxedSimd())
      throw unsupported("this engine has no relaxed SIMD; use variant 'baseline'");
    return this.startPackaged(variant, choice, [], variant === 'baseline');
  }

  private async startFastest(choice: EngineChoice): Promise<Engine<Native>> {
    if (!hasRelaxedSimd()) {
      return this.startPackaged('baseline', choice, [baseline('this engine has no relaxed SIMD')], true);
    }
    try {
      return await this.startPackaged('relaxed', choice, [], false);
    } catch (error) {
      return this.startPackaged('baseline', choice, [baseline(messageOf(error))], true);
    }
  }

  /** Starts several threads if they are wanted and it works, else one. */
  private async startPackaged(
    variant: Variant,
    { threads: wanted, startTeam, onBytes }: EngineChoice,
    fallbacks: Fallback[],
    stepDown: boolean,
  ): Promise<Engine<Native>> {
    const { [variant]: locate, threaded = false } = this.builds;
    const startWith = async (threads: number) => {
      const shared = threads > 1;
      const module = await compileAt(locate!(), { unshared: threaded && !shared, onBytes });
      return this.startModule(variant, module, { threads, shared, startTeam, fallbacks, stepDown });
    };
    const threads = countThreads(wanted, fallbacks);
    if (threads > 1) {
      try {
        return await startWith(threads);
      } catch (error) {
        if (wanted !== 'auto') throw error;
        fallbacks.push(oneThread(messageOf(error)));
      }
    }
    return startWith(1);
  }

  /** A module provided by the caller supports threads if it imports its memory. */
  private async startGiven(
    wasm: WasmSource,
    { threads: wanted, startTeam, onBytes }: EngineChoice,
  ): Promise<Engine<Native>> {
    const fallbacks: Fallback[] = [];
    const threads = countThreads(wanted, fallbacks);
    const module = await compileModule(wasm, { unshared: threads === 1, onBytes });
    const start = { startTeam, fallbacks, stepDown: true };
    // Whether the memory of a compiled module is shared was decided when it was linked.
    if (importsMemory(module))
      return this.startModule('custom', module, { ...start, threads, shared: threads > 1 || wasm === module });
    if (wanted !== 'auto' && wanted > 1)
      throw unsupported(`${wanted} threads: the module in option 'wasm' has only one: it imports no memory`);
    return this.startModule('custom', module, { ...start, threads: 1, shared: false });
  }

  private async startModule(
    variant: Variant | 'custom',
    module: WebAssembly.Module,
    { threads, shared, startTeam, fallbacks, stepDown }: Start,
  ): Promise<Engine<Native>> {
    const { glue, expected, memory64 = false } = this.builds;
    const memory = importsMemory(module) ? moduleMemory(shared) : undefined;
    const { native, instance } = await instantiate(module, glue, expected, memory);
    const endThreads =
      memory && startTeam && threads > 1
        ? await startComputeThreads(instance, module, memory, threads, startTeam)
        : undefined;
    try {
      return engineOf(native, { variant, threads, memory64, fallbacks }, stepDown, endThreads);
    } catch (error) {
      endThreads?.();
      throw error;
    }
  }
}
