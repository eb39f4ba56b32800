// The commands of the command line with their tables of options, as npm/src/cli has them: no build is needed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { assetUses, optionOwners } from '../../npm/features.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The options that every command accepts, and for each command its name, its summary, the ways to call it, and tables:
 * one, or for a group such as `kv` one for each of its commands.
 */
export async function readCommands() {
  const { COMMANDS, COMMON_OPTIONS } = await importSource(
    "export { COMMANDS } from './command_list.js'; export { COMMON_OPTIONS } from './options/arguments.js';",
  );
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, { summary, load }]) => {
      const { default: command } = await load();
      return { name, summary, usage: command.usage, tables: tablesOf(name, command) };
    }),
  );
  return { commands, common: COMMON_OPTIONS };
}

function tablesOf(name, command) {
  const members = 'commands' in command ? Object.entries(command.commands) : [];
  const tables = members.map(([own, member]) => [`${name} ${own}`, member.command]);
  return (tables.length > 0 ? tables : [[name, command]]).map(([name, { options, renamed = {} }]) => ({
    name,
    options,
    renamed,
  }));
}

/** WebAssembly and its glue are left out: only a build has them, and only a loaded model needs them. */
const withoutModules = {
  name: 'without modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^quintet-/ }, ({ path }) => ({ path, namespace: 'module' }));
    onLoad({ filter: /.*/, namespace: 'module' }, () => ({ contents: 'export default undefined;' }));
  },
};

async function importSource(contents) {
  // A file, because the source finds its neighbors by its own address.
  const folder = mkdtempSync(join(tmpdir(), 'quintet-cli-page-'));
  const outfile = join(folder, 'commands.mjs');
  try {
    await build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: join(root, 'npm/src/cli') },
      bundle: true,
      outfile,
      format: 'esm',
      platform: 'node',
      define: { assetUses: JSON.stringify(assetUses()), optionOwners: JSON.stringify(optionOwners()) },
      plugins: [withoutModules],
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
