// Running instances of the WebAssembly module. All objects of a thread share one per variant, so that the memory of
// a closed model serves the next one; an instance that trapped is never used again.

import { hasRelaxedSimd, hasSimd } from './features.js';
import { messageOf, QuintetError, unsupported } from './errors.js';
import { registerMemory } from './memory_gauge.js';
import type { NativeModule } from './native.js';
import type { RuntimeInfo } from './types.js';
import { compileModule, instantiate, packagedModule, type WasmSource } from './wasm_module.js';

export interface EngineChoice {
  variant: 'auto' | 'baseline' | 'relaxed';
  wasm?: WasmSource | undefined;
}

/** How an engine runs; whether that is in a worker only the caller knows. */
export type EngineRuntime = Omit<RuntimeInfo, 'worker'>;

/** One instance of the module. */
export class Engine {
  private broken?: QuintetError;
  private readonly forgetMemory: () => void;

  constructor(
    private readonly native: NativeModule,
    readonly runtime: EngineRuntime,
  ) {
    this.forgetMemory = registerMemory(native);
  }

  get usable(): boolean {
    return this.broken === undefined;
  }

  /** The one door to native code: what traps becomes an error, and the instance is given up. */
  run<T>(job: (native: NativeModule) => T): T {
    if (this.broken) throw this.broken;
    try {
      return job(this.native);
    } catch (error) {
      if (error instanceof QuintetError) throw error;
      this.forgetMemory();
      throw (this.broken = trapError(error));
    }
  }
}

function trapError(cause: unknown): QuintetError {
  // The core gives errors as values; it ends the instance only where the C++ library finds no memory.
  if (messageOf(cause).startsWith('Aborted')) {
    return new QuintetError('MEMORY', 'the WebAssembly memory is exhausted', { reason: 'out_of_memory', cause });
  }
  return new QuintetError('INTERNAL', `the WebAssembly module stopped: ${messageOf(cause)}`, { reason: 'trap', cause });
}

const byName = new Map<string, Promise<Engine>>();
const bySource = new WeakMap<object, Promise<Engine>>();

/** The shared engine for a choice; started where there is none that works. */
export async function obtainEngine(choice: EngineChoice): Promise<Engine> {
  const { variant, wasm } = choice;
  const named = wasm === undefined || typeof wasm === 'string' || wasm instanceof URL;
  const key = named ? String(wasm ?? variant) : wasm;
  const engines = (named ? byName : bySource) as Map<unknown, Promise<Engine>>;
  const running = engines.get(key);
  if (running && (await running).usable) return running;
  if (engines.get(key) !== running) return obtainEngine(choice);
  const starting = startEngine(choice);
  engines.set(key, starting);
  starting.catch(() => engines.delete(key));
  return starting;
}

async function startEngine({ variant, wasm }: EngineChoice): Promise<Engine> {
  if (!hasSimd()) throw unsupported('this engine has no WebAssembly SIMD');
  if (wasm !== undefined) return startModule('custom', await compileModule(wasm), [], true);
  if (variant !== 'auto') return startPackaged(variant, [], variant === 'baseline');
  if (!hasRelaxedSimd()) {
    return startPackaged('baseline', ['baseline variant: this engine has no relaxed SIMD'], true);
  }
  try {
    return await startPackaged('relaxed', [], false);
  } catch (error) {
    return startPackaged('baseline', [`baseline variant: ${messageOf(error)}`], true);
  }
}

async function startPackaged(variant: 'baseline' | 'relaxed', fallbacks: string[], stepDown: boolean): Promise<Engine> {
  if (variant === 'relaxed' && !hasRelaxedSimd()) throw unsupported('this engine has no relaxed SIMD');
  return startModule(variant, await packagedModule(variant), fallbacks, stepDown);
}

/** Takes the fastest set of kernels that answers rightly; without `stepDown` only the module's own choice will do. */
async function startModule(
  variant: RuntimeInfo['variant'],
  module: WebAssembly.Module,
  fallbacks: string[],
  stepDown: boolean,
): Promise<Engine> {
  const native = await instantiate(module);
  const slower = native.kernelVariants();
  slower.length = slower.indexOf(native.activeKernels());
  for (;;) {
    const kernels = native.activeKernels();
    const wrong = native.selfTest();
    if (!wrong) return new Engine(native, { variant, kernels, threads: 1, fallbacks });
    fallbacks.push(`${kernels} kernels left out: ${wrong} computes wrongly here`);
    const next = stepDown ? slower.pop() : undefined;
    if (next === undefined || !native.forceKernels(next)) {
      throw new QuintetError('INTERNAL', fallbacks.join('; '), { reason: 'self_test' });
    }
  }
}
