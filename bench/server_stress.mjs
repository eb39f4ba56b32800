// quintet serve under 200 clients at once that behave in every way (tests/npm/integrations/serve/turmoil.mjs), for
// long.
//
//   node bench/server_stress.mjs [--minutes 10] [--at-once 200] [--seed 1]
//
// Prints what was asked, the slowest answer, and the memory of the server after the first three tenths, with its slope.
// Exit status 1: an answer that differs from the one alone, a client that waits for ever, memory or connections that
// grow, or a key in the log.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { killServers, serve, story, vectors } from '../tests/npm/integrations/serve/server_process.mjs';
import { Turmoil } from '../tests/npm/integrations/serve/turmoil.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'at-once': { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, atOnce, seed] = [values.minutes, values['at-once'], values.seed].map(Number);
/**
 * MB an hour. The server has a small heap: with the usual one, garbage would look like a leak for the first half hour.
 */
const maxSlope = 60;
/** A shorter run proves nothing about it. */
const leastMinutes = 8;

const key = `key-${crypto.randomUUID()}`;
const args = [`story=${story}`, '--embedder', `vectors=${vectors}`, '--max-requests', '1000', '--max-body', '256KB'];
const server = await serve(args, {
  QUINTET_API_KEY: key,
  NODE_OPTIONS: '--max-old-space-size=64 --max-semi-space-size=4',
});
const proc = `/proc/${server.child.pid}`;
const residentMB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))[1]) / 1024;

const turmoil = new Turmoil({ url: server.url, key, seed });
await turmoil.askAlone();
turmoil.closeConnections();
const socketsBefore = await quietSockets(0);
const started = performance.now();
const elapsed = () => (performance.now() - started) / 60_000;
const samples = [];
const sampling = setInterval(() => samples.push([elapsed(), residentMB()]), 1000);
await turmoil.run(atOnce, () => elapsed() < minutes);
clearInterval(sampling);
const duration = elapsed();
turmoil.closeConnections();
const sockets = await quietSockets(socketsBefore);
server.child.kill('SIGTERM');
const [status] = await server.ended;
killServers();

const settled = samples.filter(([at]) => at > 0.3 * minutes);
const { slope } = line(settled);
const memory = settled.map(([, mb]) => mb);
const third = Math.ceil(memory.length / 3);
const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const lines = server.log.trim().split('\n').length;
console.log(
  `${turmoil.started} requests in ${duration.toFixed(1)} minutes, ${atOnce} at once: ${JSON.stringify(turmoil.counts)}`,
);
console.log(`slowest: ${(turmoil.slowestMs / 1000).toFixed(1)} s; ${lines} lines of log`);
console.log(
  `memory: ${Math.min(...memory).toFixed(0)} to ${Math.max(...memory).toFixed(0)} MB, mean of the first third ` +
    `${mean(memory.slice(0, third)).toFixed(0)}, of the last ${mean(memory.slice(-third)).toFixed(0)}; ` +
    `slope ${(60 * slope).toFixed(1)} MB an hour; connections left: ${sockets - socketsBefore}`,
);

const faults = [
  ...turmoil.failures,
  ...(minutes >= leastMinutes && 60 * slope > maxSlope ? ['memory grows'] : []),
  ...(sockets > socketsBefore ? ['connections stay open'] : []),
  ...((server.log + server.errors).includes(key) ? ['the key is in the log'] : []),
  ...(status === 0 ? [] : [`exit status ${status}`]),
];
for (const fault of new Set(faults))
  console.log(`FAULT ${fault}: ${faults.filter((other) => other === fault).length} times`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Open sockets of the server, when there are no more than `expected`, or after ten seconds. */
async function quietSockets(expected) {
  for (let i = 0; ; ++i) {
    const count = readdirSync(`${proc}/fd`).filter((fd) => isSocket(fd)).length;
    if (count <= expected || i === 100) return count;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function isSocket(fd) {
  try {
    return readlinkSync(`${proc}/fd/${fd}`).startsWith('socket:');
  } catch {
    return false; // closed meanwhile
  }
}

/** Least squares. */
function line(points) {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return { slope: covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0) };
}
