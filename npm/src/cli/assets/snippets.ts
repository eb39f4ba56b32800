// How a page is built beside the files that were copied.
import { relative } from 'node:path';

/** `folder`: where the files are, and where the page's own script must go. */
export function snippetsFor(folder: string): string {
  const name = relative('.', folder).replaceAll('\\', '/') || '.';
  return `With esbuild:

  esbuild app.js --bundle --splitting --format=esm --minify --outdir=${name}

With Rollup, in rollup.config.mjs:

  import resolve from '@rollup/plugin-node-resolve';
  export default { input: 'app.js', output: { dir: '${name}' }, plugins: [resolve({ browser: true })] };

Without a bundler, in a page beside ${name}:

  <script type="importmap">{ "imports": { "quintet": "./${name}/index.js" } }</script>

Vite and webpack find the files by themselves.`;
}
