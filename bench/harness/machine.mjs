// The facts that figures depend on: the machine, the engines, and the versions of the peers.
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { chromiumVersion } from './chromium.mjs';
import { outputOfNode } from './environments.mjs';
import { REPOSITORY } from './paths.mjs';

/**
 * The machine and the software that a subject ran on: `peers` are names of packages of bench/package.json, `chromium`:
 * whether it takes part.
 */
export async function describeMachine({ peers = [], chromium = false }) {
  const { dependencies } = JSON.parse(await readFile(join(REPOSITORY, 'bench/package.json'), 'utf8'));
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0].model.trim(),
    cores: cpus().length,
    vnni: await hasAvxVnni(),
    dotProduct: await dotForm(),
    load: Number(loadavg()[0].toFixed(2)),
    node: await outputOfNode('--version'),
    chromium: chromium ? await chromiumVersion() : undefined,
    peers: Object.fromEntries(peers.map((name) => [name, dependencies[name].replace(/^npm:.*@/, '')])),
  };
}

// V8 computes the relaxed integer dot product with one instruction where the processor has AVX-VNNI, with three
// elsewhere, including, as far as measurements show, the form of AVX-512.
async function hasAvxVnni() {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return /\bavx_vnni\b/.test(text);
}

const FORMS = new Map([
  [2 * -32768, 'paired (several instructions)'],
  [4 * -128 * 255, 'fused, unsigned (one instruction, as of AVX-VNNI)'],
  [4 * -128 * -1, 'fused, signed (one instruction, as SDOT of ARM)'],
]);

// (func (export "d") (param i32 i32) (result i32)
//   (i32x4.extract_lane 0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
//     (i32x4.splat (local.get 0)) (i32x4.splat (local.get 1)) (i32x4.splat (i32.const 0)))))
const SPLAT = [0xfd, 0x11];
const BODY = [0, 0x20, 0, ...SPLAT, 0x20, 1, ...SPLAT, 0x41, 0, ...SPLAT, 0xfd, 0x93, 2, 0xfd, 0x1b, 0, 0x0b];
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const MODULE = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f),
  ...section(3, 1, 0),
  ...section(7, 1, 1, 'd'.charCodeAt(0), 0, 0),
  ...section(10, 1, BODY.length, ...BODY),
];

/**
 * The instruction with which Node 24 computes the relaxed dot product of bytes, where int8 models spend their time. The
 * standard guarantees only 7 bits of the second operand; the product of 255 shows which instruction is used
 * (src/kernels/relaxed/relaxed_dot.h).
 */
async function dotForm() {
  const instance = `new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(${MODULE})))`;
  const sum = await outputOfNode('--print', `${instance}.exports.d(0x80808080 | 0, -1)`);
  return FORMS.get(Number(sum)) ?? `wrong: ${sum}`;
}
