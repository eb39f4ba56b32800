// The engine that converts: a module of its own, which nothing else downloads.

import createQuintetConvert from 'quintet-convert-glue';

import { engineOf, sharedEngine, type Engine } from './engine.js';
import { unsupported } from './errors.js';
import { hasSimd } from './features.js';
import type { NativeConvertModule } from './native.js';
import { compileAt, instantiate } from './wasm_module.js';

const variant = 'baseline';
const running = new Map<typeof variant, Promise<Engine<NativeConvertModule>>>();

/** The shared engine of conversions; started where there is none that works. */
export function obtainConvertEngine(): Promise<Engine<NativeConvertModule>> {
  return sharedEngine(running, variant, startEngine);
}

async function startEngine(): Promise<Engine<NativeConvertModule>> {
  if (!hasSimd()) throw unsupported('this engine has no WebAssembly SIMD');
  // Bundlers look for exactly this form of URL.
  const module = await compileAt(new URL('./quintet-convert.wasm', import.meta.url));
  const { native } = await instantiate(module, createQuintetConvert, 'Converter');
  return engineOf(native, { variant, threads: 1, memory64: false, fallbacks: [] }, true);
}
