#!/usr/bin/env node
// Links a WebAssembly module, or copies the result of an earlier identical link. Link-time optimization is most of the
// time of a build whose objects come from ccache, which caches no links. CMake runs this with the linker and its
// arguments (CMAKE_CXX_LINKER_LAUNCHER, set in compiler_cache.mjs).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { root } from './paths.mjs';
import { ResultCache } from './result_cache.mjs';

const [linker, ...args] = process.argv.slice(2);

const output = args[args.indexOf('-o') + 1];
/** In addition to its output the linker may write the module that belongs to it. */
const outputs = [...new Set([output, output.replace(/\.m?js$/, '.wasm')])];

/** A hash of the toolchain, the arguments and the files they name, independent of the path of the repository. */
function digest() {
  // The toolchain's folder is named by the hash of its recipe; elsewhere the version must do.
  const toolchain = basename(dirname(dirname(realpathSync(linker))));
  const hash = createHash('sha256')
    .update(toolchain)
    .update(spawnSync(linker, ['--version']).stdout);
  for (const arg of args) {
    hash.update(`\0${arg.replaceAll(root, '')}\0`);
    const path = arg.replace(/^--[\w-]+=/, '');
    if (path !== output && statSync(path, { throwIfNoEntry: false })?.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

const results = new ResultCache('links');
const entry = digest();
if (!results.restore(entry, outputs)) {
  const { status } = spawnSync(linker, args, { stdio: 'inherit' });
  if (status === 0) results.store(entry, outputs);
  process.exitCode = status ?? 1;
}
