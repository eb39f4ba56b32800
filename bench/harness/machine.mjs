// What figures depend on: the machine, the engines, and the versions of the peers.
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { chromiumVersion } from './chromium.mjs';
import { outputOfNode } from './node.mjs';
import { REPOSITORY } from './paths.mjs';

/** Of a subject: `peers` are names of packages of bench/package.json, `chromium` says whether it takes part. */
export async function describeMachine({ peers = [], chromium = false }) {
  const { dependencies } = JSON.parse(await readFile(join(REPOSITORY, 'bench/package.json'), 'utf8'));
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0].model.trim(),
    cores: cpus().length,
    vnni: await hasAvxVnni(),
    dotProduct: await outputOfNode(join(import.meta.dirname, 'dot_form.mjs')),
    load: Number(loadavg()[0].toFixed(2)),
    node: await outputOfNode('--version'),
    chromium: chromium ? await chromiumVersion() : undefined,
    peers: Object.fromEntries(peers.map((name) => [name, dependencies[name].replace(/^npm:.*@/, '')])),
  };
}

// V8 computes the relaxed integer dot product with one instruction where the processor has AVX-VNNI, with three
// elsewhere, the form of AVX-512 included as far as measurements tell.
async function hasAvxVnni() {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return /\bavx_vnni\b/.test(text);
}
