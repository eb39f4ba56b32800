// The engine that runs models, inspects and reads files: which module and which of its kernels.

import createQuintet from 'quintet-glue';

import { engineOf, sharedEngine, type Engine, type RunningEngines } from './engine.js';
import { messageOf, unsupported } from './errors.js';
import { hasRelaxedSimd, hasSimd } from './features.js';
import type { NativeModule } from './native.js';
import type { RuntimeInfo } from './types.js';
import { compileAt, compileModule, instantiate, type WasmSource } from './wasm_module.js';

export interface EngineChoice {
  variant: 'auto' | 'baseline' | 'relaxed';
  wasm?: WasmSource | undefined;
}

// Bundlers look for exactly this form of URL.
const packaged = {
  baseline: () => new URL('./quintet-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-relaxed.wasm', import.meta.url),
};

const byName = new Map<string, Promise<Engine<NativeModule>>>();
const bySource = new WeakMap<object, Promise<Engine<NativeModule>>>();

/** The shared engine for a choice; started where there is none that works. */
export function obtainEngine(choice: EngineChoice): Promise<Engine<NativeModule>> {
  const { variant, wasm } = choice;
  const named = wasm === undefined || typeof wasm === 'string' || wasm instanceof URL;
  const key = named ? String(wasm ?? variant) : wasm;
  const engines = (named ? byName : bySource) as RunningEngines<unknown, NativeModule>;
  return sharedEngine(engines, key, () => startEngine(choice));
}

async function startEngine({ variant, wasm }: EngineChoice): Promise<Engine<NativeModule>> {
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

async function startPackaged(
  variant: 'baseline' | 'relaxed',
  fallbacks: string[],
  stepDown: boolean,
): Promise<Engine<NativeModule>> {
  if (variant === 'relaxed' && !hasRelaxedSimd()) throw unsupported('this engine has no relaxed SIMD');
  return startModule(variant, await compileAt(packaged[variant]()), fallbacks, stepDown);
}

async function startModule(
  variant: RuntimeInfo['variant'],
  module: WebAssembly.Module,
  fallbacks: string[],
  stepDown: boolean,
): Promise<Engine<NativeModule>> {
  const native = await instantiate(module, createQuintet, 'EmbedderLoader');
  return engineOf(native, variant, fallbacks, stepDown);
}
