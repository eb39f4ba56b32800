#!/usr/bin/env node
// Links a WebAssembly module, or copies the result of an earlier identical link. Link-time optimization is most of the
// time of a build whose objects come from ccache, which caches no links. CMake runs this with the linker and its
// arguments (CMAKE_CXX_LINKER_LAUNCHER, set in compiler_cache.mjs).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { caches, root } from './paths.mjs';

const [linker, ...args] = process.argv.slice(2);
const cache = join(caches, 'links');
const daysKept = 30;

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

function isRestored(entry) {
  const names = readdirSync(cache).includes(entry) ? readdirSync(join(cache, entry)) : [];
  names.forEach((name) => copyFileSync(join(cache, entry, name), outputs[Number(name)]));
  if (names.length > 0) utimesSync(join(cache, entry), new Date(), new Date());
  return names.length > 0;
}

function store(entry) {
  const folder = mkdtempSync(join(cache, 'new-'));
  for (const [i, path] of outputs.entries()) {
    if (statSync(path, { throwIfNoEntry: false })) copyFileSync(path, join(folder, String(i)));
  }
  try {
    renameSync(folder, join(cache, entry));
  } catch {
    // Another build stored it first.
    rmSync(folder, { recursive: true });
  }
}

function forgetOldEntries() {
  const oldest = Date.now() - daysKept * 24 * 60 * 60 * 1000;
  for (const entry of readdirSync(cache)) {
    // Other links may be renaming their entries.
    const made = statSync(join(cache, entry), { throwIfNoEntry: false })?.mtimeMs;
    if (made < oldest) rmSync(join(cache, entry), { recursive: true, force: true });
  }
}

mkdirSync(cache, { recursive: true });
const entry = digest();
if (!isRestored(entry)) {
  const { status } = spawnSync(linker, args, { stdio: 'inherit' });
  if (status === 0) {
    forgetOldEntries();
    store(entry);
  }
  process.exitCode = status ?? 1;
}
