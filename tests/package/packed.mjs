// The packages as npm would publish them, installed into an empty project outside the repository.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const run = (program, args, cwd) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** `npm pack` of a package into a folder: { path, size, files, manifest }. */
export function pack(folder = root, destination = `${root}build/`) {
  mkdirSync(destination, { recursive: true });
  const [{ filename, size, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', destination], folder),
  );
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { path: join(destination, filename), size, files: files.map((file) => file.path), manifest };
}

/**
 * An empty project in the folder `within`, with quintet and quintet-models installed as copies, and with links to
 * `tools` in the node_modules of `toolsOf`. The caller removes it.
 */
export function installInEmptyProject({ tools = [], toolsOf = root, within = tmpdir() } = {}) {
  const folder = mkdtempSync(join(within, 'quintet-package-'));
  cpSync(installedProject(), folder, { recursive: true, verbatimSymlinks: true });
  for (const tool of tools) {
    const link = join(folder, 'node_modules', tool);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(toolsOf, 'node_modules', tool), link);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The project that the others are copies of. npm makes it once for all suites, because it takes seconds. */
function installedProject() {
  const project = `${root}build/installed-${versionOfPackages()}`;
  if (existsSync(project)) return project;
  mkdirSync(`${root}build`, { recursive: true });
  const outdated = readdirSync(`${root}build`).filter((name) => name.startsWith('installed-'));
  for (const name of outdated) rmSync(`${root}build/${name}`, { recursive: true });
  // Jest runs several suites at once: the first one to finish wins.
  const folder = mkdtempSync(`${root}build/installing-`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const packages = [root, `${root}models`].map((packed) => pack(packed, join(folder, 'packed')).path);
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder);
  try {
    renameSync(folder, project);
  } catch {
    rmSync(folder, { recursive: true });
  }
  return project;
}

/** Changes with every file that may be packed. */
function versionOfPackages() {
  const hash = createHash('sha256');
  for (const part of [
    'package.json',
    'README.md',
    'LICENSE',
    'THIRD_PARTY_LICENSES',
    'CHANGELOG.md',
    'dist',
    'models',
  ]) {
    const isFolder = statSync(root + part).isDirectory();
    for (const name of isFolder ? readdirSync(root + part, { recursive: true }).sort() : ['']) {
      const { size, mtimeMs } = statSync(join(root, part, name));
      hash.update(`${part}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
