// The package as npm would publish it, installed into an empty project outside the repository.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** `npm pack` into build/: { path, size, files }. */
export function pack() {
  const folder = `${root}build/`;
  mkdirSync(folder, { recursive: true });
  const [{ filename, size, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], root));
  return { path: folder + filename, size, files: files.map((file) => file.path) };
}

/** An empty project with these packages (tarballs, folders) installed as copies. The caller removes it. */
export function installInEmptyProject(...packages) {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-package-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--install-links', ...packages], folder);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
