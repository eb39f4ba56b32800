// Instructions for a page that uses the files that were copied.
import { basename, relative, resolve } from 'node:path';
import { PAGE_SCRIPT } from '../../platform/node/asset_files.js';

/**
 * `folder`: where the files are, and where the page's own script must go. `hasPage`: whether the package is among them.
 */
export function snippetsFor(folder: string, hasPage: boolean): string {
  const name = relative('.', folder).replaceAll('\\', '/') || '.';
  return `With esbuild:

  esbuild app.js --bundle --splitting --format=esm --minify --outdir=${/^[\w./-]+$/.test(name) ? name : JSON.stringify(name)}

With Rollup, in rollup.config.mjs:

  import resolve from '@rollup/plugin-node-resolve';
  export default { input: 'app.js', output: { dir: ${quoted(name)} }, plugins: [resolve({ browser: true })] };

${hasPage ? importMap(basename(resolve(folder))) : 'Without a bundler, add page to --for: the package itself is copied as well.'}

Vite and webpack find the files by themselves.`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const importMap = (name: string): string => `Without a bundler, in a page next to the folder ${name}:

  <script type="importmap">{ "imports": { "quintet": "./${encodeURIComponent(name)}/${PAGE_SCRIPT}" } }</script>`;
