// Runs the benchmarks, or only the named ones: npm run bench -- embedder [its arguments]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { root } from './build/paths.mjs';

const scriptOf = (name) => `${root}bench/${name}/main.mjs`;
const all = readdirSync(`${root}bench`).filter((name) => existsSync(scriptOf(name)));

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !all.includes(name)) {
  console.error(`bench: no benchmark '${name}'; there are ${all.join(', ')}`);
  process.exit(2);
}
for (const chosen of name === undefined ? all : [name]) {
  const { status } = spawnSync(process.execPath, [scriptOf(chosen), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
