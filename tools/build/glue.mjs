// What becomes of the JavaScript that Emscripten makes for a module ("glue") before it is bundled.

/**
 * One glue for all builds of a module, without the ways to find, fetch and compile the module by itself: never gone, since
 * the package passes `instantiateWasm`. The minifier then drops all that serves them.
 */
export const packagedGlue = (glue) => unused.reduce((rest, [begin, end]) => without(begin, end, rest), glue);

/**
 * The same of a module for threads. Its glue would make the memory, and look before each access whether another thread has grown
 * it. Here the package makes the memory (npm/src/engine/start/wasm_module.ts), and only the thread that calls the glue grows it.
 */
export const packagedEngineGlue = (glue) =>
  packagedGlue(
    forThreads.reduce((rest, [pattern, replacement]) => {
      const replaced = rest.replace(pattern, replacement);
      if (replaced === rest) throw unexpected();
      return replaced;
    }, glue),
  );

const forThreads = [
  [/function GROWABLE_HEAP_\w+\(\)\{if\(.*?return HEAP\w+\}/g, ''],
  [/GROWABLE_(HEAP_\w+)\(\)/g, (_, heap) => heap.replace('_I', '').replace('_', '')],
  [/\{var INITIAL_MEMORY=.*?shared:true\}\)\}updateMemoryViews\(\);/, ''],
  [',memory:wasmMemory', ''],
  ['wasmTable=wasmExports[', 'wasmMemory=wasmExports["memory"];updateMemoryViews();wasmTable=wasmExports['],
  // What only compute threads call (npm/src/engine/threads/compute_thread.ts), and without the glue.
  [/var _\w+=Module\["\w+"\]=.*?;/g, ''],
];

/** What goes: from the beginning of the one text to before that of the other. */
const unused = [
  // Ways to find and fetch the module.
  ['wasmBinaryFile??=findWasmBinary();', 'return{}}'],
  ['if(ENVIRONMENT_IS_WEB||ENVIRONMENT_IS_WORKER){', 'var out='],
  ['var ENVIRONMENT_IS_NODE=', 'var moduleOverrides='],
  ['var _scriptName = ', 'return (\n'],
  ['var out=', 'var err='],
  // Advice for those who build it.
  ['what+=". Build', 'var e=new WebAssembly.RuntimeError'],
  // Checks of calls that only the package makes, whose tests compare the names and arguments of all.
  ['if(Object.getPrototypeOf(this)!==instancePrototype)', 'var body='],
  ['if(undefined===body)', 'return body.apply('],
  ['if(argCount<2){', 'var isClassMethodFunc='],
  ['if(!ptrClass.upcast)', 'ptr=ptrClass.upcast(ptr)'],
  ['if(!handle){throwBindingError("Cannot use', 'return emval_handles[handle]'],
  // Checks of what a module registers and returns, which for a module that was built once is always the same.
  ['if(myTypeConverters.length!==myTypes.length)', 'for(var i=0;i<myTypes.length'],
  ['if(!rawType){', 'if(registeredTypes.hasOwnProperty(rawType)'],
  ['if(!record.ptrType||!record.ptr)', 'record.count={value:1}'],
  ['default:throw new TypeError(`invalid float width', '}};'],
  ['default:throw new TypeError(`invalid integer width', '}};'],
  ['if(undefined===impl)', 'return impl'],
  // A timer that nothing sets.
  ['if(runDependencyWatcher!==null)', 'if(dependenciesFulfilled)'],
];

/** All but what lies from `begin` to before `end`. */
function without(begin, end, glue) {
  const from = glue.indexOf(begin);
  const to = glue.indexOf(end, from);
  if (from < 0 || to < 0) throw unexpected();
  return glue.slice(0, from) + glue.slice(to);
}

/**
 * The same of a module with 64-bit memory. Emscripten 3.1.69 knows a draft of its interface, in which other words announced that
 * limits of memories are BigInts, and indices of tables were not.
 */
export const packagedGlue64 = (glue) =>
  packagedGlue(glue)
    .replace('index:"i64"', 'address:"i64"')
    .replace('wasmTable.get(funcPtr)', 'wasmTable.get(toIndexType(funcPtr))');

const unexpected = () => new Error('the JavaScript glue has another form than tools/build/glue.mjs expects');
