import type { LoadedModelInfo } from 'quintet';

import { element } from './dom.js';
import { bytes, counted } from './numbers.js';

const kernels: Partial<Record<string, string>> = { relaxed: 'relaxed SIMD', simd128: 'SIMD', scalar: 'no SIMD' };

/** How a loaded model runs, in a `<p class="status">`: kernels, threads, worker, memory; then the page's own `more`. */
export function showRuntime(host: HTMLElement, { runtime, memory }: LoadedModelInfo, ...more: string[]): void {
  if (!runtime) return;
  const parts = [
    `WebAssembly, ${kernels[runtime.kernels] ?? runtime.kernels}`,
    counted(runtime.threads, 'thread'),
    runtime.worker ? 'in a worker' : 'in the page',
    `${bytes(memory.load)} of memory`,
    ...more,
  ].map((part) => element('span', {}, part));
  host.replaceChildren(...parts);
  host.title = runtime.fallbacks.join('\n');
}
