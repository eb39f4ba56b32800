import { ASSET_USES, assetsFor } from '../../platform/node/asset_files.js';
import { copyAssets } from '../assets/copying.js';
import { snippetsFor } from '../assets/snippets.js';
import { defineCommand } from '../command.js';
import { DONE, UsageError } from '../ending.js';
import { readableBytes } from '../options/numbers.js';
import { onlyPositional } from '../options/positionals.js';
import { version } from '../version.js';

export default defineCommand({
  usage: ['assets DIR [options]'],
  description: `Copies the workers and WebAssembly modules that a page requests at run time into DIR, the folder of
the page's own script. esbuild and Rollup do not find them, and pages without a bundler cannot
reach node_modules. Vite and webpack do not need this command.

DIR/quintet-assets.json lists what was copied. The next call replaces these files, removes those
that are no longer needed, and never touches any other.`,
  options: {
    for: {
      type: 'string',
      value: 'LIST',
      help: `only what these need, separated by commas: ${ASSET_USES.map((use) => `\`${use}\``).join(', ')}; \`page\` is the package itself, for pages without a bundler (default: all)`,
    },
    json: {
      type: 'boolean',
      help: 'print one JSON object: {"dir", "version", "files": [{"name", "bytes", "status"}], "removed"}',
    },
  },
  examples: ['quintet assets public', 'quintet assets public --for embedder,tokenizer'],

  async run({ options, positionals, stdout, stderr }) {
    const dir = onlyPositional(positionals, 'DIR');
    const uses = usesIn(options.for);
    const report = await copyAssets(assetsFor(uses), dir, version());
    if (options.json) {
      await stdout.json({ dir, version: version(), ...report });
      return DONE;
    }
    const copied = report.files.filter(({ status }) => status === 'copied').length;
    const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0);
    const removed = report.removed.length > 0 ? `, ${report.removed.length} removed` : '';
    await stdout.line(
      `${dir}: ${report.files.length} ${report.files.length === 1 ? 'file' : 'files'}, ${readableBytes(bytes)}; ${copied} copied${removed}`,
    );
    await stderr.note(`\n${snippetsFor(dir, uses.includes('page'))}`);
    return DONE;
  },
});

function usesIn(list: string | undefined): readonly string[] {
  if (list === undefined) return ASSET_USES;
  return list.split(',').map((name) => {
    const use = ASSET_USES.find((each) => each === name.trim());
    if (use === undefined) throw new UsageError(`--for takes ${ASSET_USES.join(', ')}, not '${name}'`);
    return use;
  });
}
