// One page (site/app.js), as each bundler makes it, with the settings that docs/bundlers.md gives.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './packed.mjs';

const run = promisify(execFile);
const guide = readFileSync(`${root}docs/bundlers.md`, 'utf8');

/** The repository's tools that the project of `buildSites` needs. */
export const tools = ['@rollup/plugin-node-resolve', 'vite', 'webpack'];

/** The block of code in this language under a heading of the guide. */
export function exampleOf(heading, language) {
  const section = guide.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`));
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(section ?? '');
  if (!block) throw new Error(`the guide has no ${language} under '${heading}'`);
  return block[1];
}

const html = (script) => `<!doctype html><title>quintet</title><script type="module" src="./${script}"></script>\n`;

export const sites = ['Vite', 'webpack', 'esbuild', 'Rollup', 'no bundler', 'an import map'];

/** Builds the page with every bundler at once; answers the folder of each result in which index.html lies. */
export async function buildSites(project) {
  const built = await Promise.all([
    buildWithVite(sources(project, '.')),
    buildWithWebpack(linkedSources(project, 'webpack')),
    buildWithEsbuild(linkedSources(project, 'esbuild')),
    buildWithRollup(linkedSources(project, 'rollup')),
    siteWithoutBundler(project),
    withImportMap(linkedSources(project, 'mapped')),
  ]);
  return Object.fromEntries(sites.map((name, i) => [name, built[i]]));
}

function sources(project, name) {
  const folder = join(project, name);
  mkdirSync(folder, { recursive: true });
  cpSync(`${root}tests/package/site`, folder, { recursive: true });
  return folder;
}

function linkedSources(project, name) {
  const folder = sources(project, name);
  symlinkSync('../node_modules', join(folder, 'node_modules'));
  return folder;
}

export const vite = `${root}node_modules/vite/bin/vite.js`;

/** Vite needs no settings but the headers of its development server. */
async function buildWithVite(folder) {
  writeFileSync(join(folder, 'index.html'), html('app.js'));
  writeFileSync(join(folder, 'vite.config.js'), exampleOf('Vite', 'js'));
  await run(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: folder });
  return join(folder, 'dist');
}

/** Not minified, because that takes ten times as long. */
async function buildWithWebpack(folder) {
  writeFileSync(
    join(folder, 'build.mjs'),
    `import webpack from 'webpack';
    const options = { mode: 'production', entry: './app.js', optimization: { minimize: false }, performance: false };
    webpack(options, (error, stats) => {
      if (!error && !stats.hasErrors() && !stats.hasWarnings()) return;
      console.error(error ?? stats.toString());
      process.exitCode = 1;
    });`,
  );
  await run(process.execPath, ['build.mjs'], { cwd: folder });
  writeFileSync(join(folder, 'dist', 'index.html'), html('main.js'));
  return join(folder, 'dist');
}

async function buildWithEsbuild(folder) {
  await runShell(exampleOf('esbuild', 'sh'), folder);
  return publicFolder(folder);
}

async function buildWithRollup(folder) {
  writeFileSync(join(folder, 'rollup.config.mjs'), exampleOf('Rollup', 'js'));
  await runShell(exampleOf('Rollup', 'sh'), folder);
  return publicFolder(folder);
}

/** The folder of the packages, for code that names their files itself. */
export const installed = { quintet: './node_modules/quintet/dist/', models: './node_modules/quintet-models/index.js' };

export function siteWithoutBundler(project) {
  const folder = linkedSources(project, 'plain');
  const script = readFileSync(join(folder, 'app.js'), 'utf8')
    .replace("'quintet'", `'${installed.quintet}index.js'`)
    .replace("'quintet-models'", `'${installed.models}'`);
  writeFileSync(join(folder, 'app.js'), script);
  writeFileSync(join(folder, 'index.html'), html('app.js'));
  return folder;
}

async function withImportMap(folder) {
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>quintet</title>\n${exampleOf('No bundler', 'html')}`,
  );
  return folder;
}

function publicFolder(folder) {
  writeFileSync(join(folder, 'public', 'index.html'), html('app.js'));
  return join(folder, 'public');
}

const runShell = (script, cwd) =>
  run('sh', ['-e', '-c', script], {
    cwd,
    env: { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` },
  });
