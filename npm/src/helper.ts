// The script of a helper thread: another instance of the engine's module over the same memory (bindings/threads.cc), which
// computes parts of whatever the engine computes. It waits in WebAssembly for ever and is ended from outside (helper_team.ts).

import { parent } from 'quintet-parent';

import { messageOf } from './errors.js';
import type { HelperReport, HelperTask } from './helpers.js';

/** Exports of a threaded module, beside those that its JavaScript knows. */
interface HelperExports {
  _emscripten_stack_restore(address: number): void;
  __wasm_init_tls(address: number): void;
  help(thread: number): void;
  give_up(): void;
}

parent.listen((task) => void help(task as HelperTask));

async function help({ module, memory, thread, address }: HelperTask): Promise<void> {
  try {
    const instance = await WebAssembly.instantiate(module, importsOf(module, memory));
    const exports = instance.exports as unknown as HelperExports;
    exports._emscripten_stack_restore(address);
    exports.__wasm_init_tls(address);
    report(undefined);
    try {
      exports.help(thread);
    } catch {
      exports.give_up();
    }
  } catch (error) {
    report(messageOf(error));
  }
}

const report = (message: HelperReport) => parent.post(message);

/** Helpers only compute: of what the module imports they need the memory, which they cannot grow. */
function importsOf(module: WebAssembly.Module, memory: WebAssembly.Memory): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = kind === 'memory' ? memory : () => 0;
  }
  return imports;
}
