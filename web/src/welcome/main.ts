import '../shared/shell.js';

import { capabilities } from 'quintet';

import { byId, element } from '../shared/dom.js';

const { simd, relaxedSimd, threads, crossOriginIsolated } = capabilities();

const words = [
  relaxedSimd ? 'Relaxed SIMD' : simd ? 'SIMD' : 'This browser has no WebAssembly SIMD, so nothing here will run',
  threads ? 'threads' : crossOriginIsolated ? 'no threads' : 'one thread (the page is not isolated)',
];
byId('machine', HTMLElement).replaceChildren(element('span', {}, `This browser: ${words.join(', ')}`));
