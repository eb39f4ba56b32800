// The script of a compute thread: another instance of the engine's module with the same memory (bindings/threads.cc),
// which computes parts of the engine's work. It waits in WebAssembly for work until it is terminated from outside
// (worker/loading.ts).

import { parent } from '#platform/own_thread';

import type { ComputeReport, ComputeTask } from './compute_task.js';

/** Exports of a threaded module that its glue does not use. */
interface ComputeExports {
  _emscripten_stack_restore(address: number): void;
  __wasm_init_tls(address: number): void;
  help(thread: number): void;
  give_up(): void;
}

parent.listen((task) => void help(task as ComputeTask));

async function help({ module, memory, thread, address }: ComputeTask): Promise<void> {
  try {
    const instance = await WebAssembly.instantiate(module, importsOf(module, memory));
    const exports = instance.exports as unknown as ComputeExports;
    exports._emscripten_stack_restore(address);
    exports.__wasm_init_tls(address);
    report(undefined);
    try {
      exports.help(thread);
    } catch {
      exports.give_up();
    }
  } catch (error) {
    // Not by messageOf of base/errors.ts: this script would be six times as large.
    report((error as Error).message);
  }
}

const report = (message: ComputeReport) => parent.post(message);

/** These threads only compute, so the memory is the only import that they need. They cannot grow it. */
function importsOf(module: WebAssembly.Module, memory: WebAssembly.Memory): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = kind === 'memory' ? memory : () => 0;
  }
  return imports;
}
