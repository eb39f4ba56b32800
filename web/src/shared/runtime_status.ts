import type { LoadedModelInfo } from 'quintet';

import { element } from './dom.js';
import { bytes, counted } from './numbers.js';

const kernels: Partial<Record<string, string>> = { relaxed: 'relaxed SIMD', simd128: 'SIMD', scalar: 'no SIMD' };

/**
 * The runtime of a loaded model: kernels, threads, worker, memory, then the page's own `more`. Reasons why it is slower
 * than it could be are folded below.
 */
export function showRuntime(host: HTMLElement, { runtime, memory }: LoadedModelInfo, ...more: string[]): void {
  const parts = [
    `WebAssembly, ${kernels[runtime.kernels] ?? runtime.kernels}`,
    counted(runtime.threads, 'thread'),
    runtime.worker ? 'in a worker' : 'in the page',
    `${bytes(memory.load)} of memory`,
    ...more,
  ];
  host.replaceChildren(
    ...parts.map((part) => element('span', {}, part)),
    ...fallbackList(runtime.fallbacks.map(({ message }) => message)),
  );
}

/**
 * A `<details>`, so that it can be read by keyboard, by touch and by screen readers. Empty if there is nothing to
 * report.
 */
export function fallbackList(sentences: readonly string[]): HTMLElement[] {
  if (sentences.length === 0) return [];
  return [
    element(
      'details',
      { className: 'fallbacks' },
      element('summary', {}, 'Not running at full speed'),
      element('ul', {}, ...sentences.map((sentence) => element('li', {}, sentence))),
    ),
  ];
}
