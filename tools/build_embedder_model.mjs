#!/usr/bin/env node
// Makes models/embedder-int8.weights from the model's Hugging Face folder, with the package's own converter.
//
//   node tools/build_embedder_model.mjs FOLDER        after `npm run build`
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node tools/build_embedder_model.mjs FOLDER');
  process.exit(2);
}

const out = `${root}models/embedder-int8.weights`;
const options = ['--to', 'weights', '--quantize', 'int8-row', '--name', 'quintet-embedder', '--verify', '--out', out];
const { status } = spawnSync(process.execPath, [`${root}dist/cli.js`, 'convert', folder, ...options], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
