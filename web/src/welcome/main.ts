import '../shared/shell.js';

import { capabilities } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { fallbackList } from '../shared/runtime_status.js';

const { simd, relaxedSimd, threads, crossOriginIsolated } = capabilities();

const fallbacks = [
  ...(simd ? [] : ['This browser has no WebAssembly SIMD, which quintet needs.']),
  ...(simd && !relaxedSimd ? ['This browser has no relaxed SIMD.'] : []),
  ...(threads
    ? []
    : [
        crossOriginIsolated
          ? 'One thread: this browser has no shared WebAssembly memory.'
          : 'One thread: the page is not cross-origin isolated, so it cannot share memory.',
      ]),
];
byId('machine', HTMLElement).replaceChildren(
  element(
    'span',
    {},
    `This browser: ${relaxedSimd ? 'relaxed SIMD' : simd ? 'SIMD' : 'no SIMD'}, ${threads ? 'threads' : 'one thread'}`,
  ),
  ...fallbackList(fallbacks),
);

const run = byId('run', HTMLButtonElement);
const output = byId('output', HTMLElement);

run.addEventListener('click', async () => {
  run.disabled = true;
  const progress = new ProgressBar(byId('running', HTMLElement));
  progress.show('Loading the model and running the code', 0, undefined, '');
  try {
    const { results } = await import('./example.js');
    output.textContent = results.map(({ id, score }) => `${score.toFixed(3).padStart(6)}  ${id}`).join('\n');
  } catch (error) {
    // A module that has failed is not run again by the same page.
    showProblem(byId('running', HTMLElement), 'The code failed', error, { again: () => location.reload() });
  } finally {
    progress.hide();
  }
});
run.disabled = false;
