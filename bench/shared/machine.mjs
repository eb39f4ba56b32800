import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { NODE_24, REPOSITORY } from './paths.mjs';

/** What the figures depend on; `peers` are names of packages. */
export async function describeMachine(peers) {
  const { dependencies } = JSON.parse(
    await readFile(join(REPOSITORY, 'bench/package.json'), 'utf8'),
  );
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0].model.trim(),
    cores: cpus().length,
    vnni: hasAvxVnni(),
    load: loadavg()[0],
    node: inNode24('--version'),
    dotProduct: inNode24(join(import.meta.dirname, 'dot_form.mjs')),
    peers: Object.fromEntries(peers.map((name) => [name, dependencies[name]])),
  };
}

const inNode24 = (...args) => execFileSync(NODE_24, args, { encoding: 'utf8' }).trim();

// V8 computes the relaxed integer dot product with one instruction where the processor has AVX-VNNI, with three
// elsewhere, the form of AVX-512 included as far as measurements tell.
function hasAvxVnni() {
  try {
    return /\bavx_vnni\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}
