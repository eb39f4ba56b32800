// The packages as npm would publish them, installed into an empty project outside the repository.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** `npm pack` of a package into a folder: { path, size, files, manifest }. */
export function pack(folder = root, destination = `${root}build/`) {
  mkdirSync(destination, { recursive: true });
  const [{ filename, size, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', destination], folder));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { path: join(destination, filename), size, files: files.map((file) => file.path), manifest };
}

/**
 * An empty project with quintet and quintet-models installed as copies, and with links to `tools` of the repository's own
 * node_modules. The caller removes it.
 */
export function installInEmptyProject({ tools = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-package-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // In a folder of their own: Jest runs several suites at once.
  const packages = [root, `${root}models`].map((packed) => pack(packed, join(folder, 'packed')).path);
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder);
  for (const tool of tools) {
    const link = join(folder, 'node_modules', tool);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(`${root}node_modules/${tool}`, link);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
