// Which build of a module runs, and with which of its kernels.

import { engineOf, sharedEngine, type Engine, type RunningEngines } from './engine.js';
import { messageOf, unsupported } from './errors.js';
import { hasRelaxedSimd, hasSimd } from './features.js';
import type { NativeInstance } from './native.js';
import type { RuntimeInfo } from './types.js';
import { compileAt, compileModule, instantiate, type Glue, type WasmSource } from './wasm_module.js';

export interface EngineChoice {
  variant: 'auto' | 'baseline' | 'relaxed';
  wasm?: WasmSource | undefined;
}

/** A module in two builds. */
export interface ModuleBuilds<Native> {
  glue: Glue<Native>;
  /** A class that only this module has. */
  expected: keyof Native;
  baseline(): URL;
  relaxed(): URL;
}

export class VariantEngines<Native extends NativeInstance> {
  private readonly byName = new Map<string, Promise<Engine<Native>>>();
  private readonly bySource = new WeakMap<object, Promise<Engine<Native>>>();

  constructor(private readonly builds: ModuleBuilds<Native>) {}

  /** The shared engine for a choice; started where there is none that works. */
  obtain(choice: EngineChoice): Promise<Engine<Native>> {
    const { variant, wasm } = choice;
    const named = wasm === undefined || typeof wasm === 'string' || wasm instanceof URL;
    const key = named ? String(wasm ?? variant) : wasm;
    const engines = (named ? this.byName : this.bySource) as RunningEngines<unknown, Native>;
    return sharedEngine(engines, key, () => this.start(choice));
  }

  private async start({ variant, wasm }: EngineChoice): Promise<Engine<Native>> {
    if (!hasSimd()) throw unsupported('this engine has no WebAssembly SIMD');
    if (wasm !== undefined) return this.startModule('custom', await compileModule(wasm), [], true);
    if (variant !== 'auto') return this.startPackaged(variant, [], variant === 'baseline');
    if (!hasRelaxedSimd()) {
      return this.startPackaged('baseline', ['baseline variant: this engine has no relaxed SIMD'], true);
    }
    try {
      return await this.startPackaged('relaxed', [], false);
    } catch (error) {
      return this.startPackaged('baseline', [`baseline variant: ${messageOf(error)}`], true);
    }
  }

  private async startPackaged(
    variant: 'baseline' | 'relaxed',
    fallbacks: string[],
    stepDown: boolean,
  ): Promise<Engine<Native>> {
    if (variant === 'relaxed' && !hasRelaxedSimd()) throw unsupported('this engine has no relaxed SIMD');
    return this.startModule(variant, await compileAt(this.builds[variant]()), fallbacks, stepDown);
  }

  private async startModule(
    variant: RuntimeInfo['variant'],
    module: WebAssembly.Module,
    fallbacks: string[],
    stepDown: boolean,
  ): Promise<Engine<Native>> {
    const native = await instantiate(module, this.builds.glue, this.builds.expected);
    return engineOf(native, variant, fallbacks, stepDown);
  }
}
