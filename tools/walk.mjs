#!/usr/bin/env node
// Prints the files of npm/src that run between `Embedder.load('hf:…')` on a page and the first vector.
import { walkToFirstVector } from '../tests/browser/walk.mjs';

const files = await walkToFirstVector();
console.log(files.join('\n'));
console.log(`${files.length} files`);
