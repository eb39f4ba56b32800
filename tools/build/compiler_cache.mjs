import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { caches, root } from './paths.mjs';

/**
 * The environment in which compilers run through ccache, where it is installed (`tools/setup test` does it): a file
 * that was compiled once, in any folder of the repository, is not compiled again.
 */
const compilerCache =
  spawnSync('ccache', ['--version']).status === 0
    ? {
        CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
        CCACHE_DIR: join(caches, 'ccache'),
        CCACHE_MAXSIZE: '2G',
        CCACHE_BASEDIR: root,
        CCACHE_NOHASHDIR: 'true',
        // For precompiled headers (ccache's manual, "Precompiled headers"); files of a fresh clone are new by date
        // only.
        CCACHE_PCH_EXTSUM: 'true',
        CCACHE_SLOPPINESS: 'pch_defines,time_macros,include_file_mtime,include_file_ctime',
      }
    : {};

/** Links of WebAssembly are kept as well, because each of them optimizes a whole module. */
const linkCache = { CMAKE_CXX_LINKER_LAUNCHER: `${root}tools/build/cached_link.mjs` };

/** For the builds of a preset of CMakePresets.json. */
export const cachesFor = (preset) => (preset.startsWith('wasm-') ? { ...compilerCache, ...linkCache } : compilerCache);
