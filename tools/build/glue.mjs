// Changes to the JavaScript that Emscripten makes for a module ("glue") before it is bundled.
import { glueWithShortNames } from './import_names.mjs';

/**
 * One glue for all builds of a module, without the ways to find, fetch and compile the module by itself: never gone,
 * since the package passes `instantiateWasm`. The minifier then drops all that serves them.
 */
export const packagedGlue = (glue) =>
  packaged(withoutAll(with64BitValues, glue).replaceAll(/var dynCall_\w+=Module.*?;/g, ''));

/**
 * The glue for a module with threads. Emscripten's would make the memory, and look before each access whether another
 * thread has grown it. Here the package makes the memory (npm/src/engine/start/wasm_module.ts), and only the thread
 * that calls the glue grows it.
 */
export const packagedEngineGlue = (glue) => packagedGlue(withAll(forThreads, glue));

/**
 * The glue for a module with 64-bit memory. Emscripten 3.1.69 has a draft of its interface, in which other words
 * announced that limits of memories are BigInts, and indices of tables were not.
 */
export const packagedGlue64 = (glue) =>
  packaged(glue)
    .replace('index:"i64"', 'address:"i64"')
    .replace('wasmTable.get(funcPtr)', 'wasmTable.get(toIndexType(funcPtr))');

const packaged = (glue) => glueWithShortNames(withAll([...shorter, ...properties], withoutAll(unused, glue)));

const forThreads = [
  [/function GROWABLE_HEAP_\w+\(\)\{if\(.*?return HEAP\w+\}/g, ''],
  [/GROWABLE_(HEAP_\w+)\(\)/g, (_, heap) => heap.replace('_I', '').replace('_', '')],
  [/\{var INITIAL_MEMORY=.*?shared:true\}\)\}updateMemoryViews\(\);/, ''],
  [',memory:wasmMemory', ''],
  ['wasmTable=wasmExports[', 'wasmMemory=wasmExports["memory"];updateMemoryViews();wasmTable=wasmExports['],
  // Wrappers of exports that only compute threads call, without the glue (npm/src/engine/threads/compute_thread.ts).
  [/var _\w+=Module\["\w+"\]=.*?;/g, ''],
];

/** Removed parts: from the beginning of the one text to before that of the other. */
const unused = [
  // Ways to find and fetch the module.
  ['wasmBinaryFile??=findWasmBinary();', 'return{}}'],
  ['if(ENVIRONMENT_IS_WEB||ENVIRONMENT_IS_WORKER){', 'var out='],
  ['var ENVIRONMENT_IS_NODE=', 'var scriptDirectory='],
  ['var _scriptName = ', 'return (\n'],
  ['var out=', 'var err='],
  ['Object.assign(Module,moduleOverrides)', 'var wasmBinary;'],
  // Advice for those who build it.
  ['what+=". Build', 'var e=new WebAssembly.RuntimeError'],
  // Checks of calls that only the package makes, whose tests compare the names and arguments of all.
  ['if(Object.getPrototypeOf(this)!==instancePrototype)', 'var body='],
  ['if(undefined===body)', 'return body.apply('],
  ['if(argCount<2){', 'var isClassMethodFunc='],
  ['if(!ptrClass.upcast)', 'ptr=ptrClass.upcast(ptr)'],
  ['if(!handle){throwBindingError("Cannot use', 'return emval_handles[handle]'],
  // Checks of what a module registers and returns, which for a module that was built once is always the same. Types of
  // views are registered several times, alike.
  ['if(myTypeConverters.length!==myTypes.length)', 'for(var i=0;i<myTypes.length'],
  ['if(!rawType){', 'if(registeredTypes.hasOwnProperty(rawType)'],
  ['if(registeredTypes.hasOwnProperty(rawType)){if(options', 'registeredTypes[rawType]='],
  ['if(typeof fp!="function")', 'return fp}'],
  ['if(!record.ptrType||!record.ptr)', 'record.count={value:1}'],
  ['default:throw new TypeError(`invalid float width', '}};'],
  ['default:throw new TypeError(`invalid integer width', '}};'],
  ['if(undefined===impl)', 'return impl'],
  // Steps of a start before and after the module's own constructors.
  ['addRunDependency("wasm-instantiate");', 'function receiveInstantiationResult('],
  ['var calledRun;', 'moduleRtn=readyPromise;'],
  // Embind's records of classes and types for code that derives from them, or counts them.
  ['if(registeredClass.baseClass){', 'var referenceConverter='],
  ['getActualType=embind__requireFunction(', 'upcast&&=embind__requireFunction('],
  ['downcast&&=embind__requireFunction(', 'rawDestructor=embind__requireFunction('],
  ['rawConstructor=embind__requireFunction(constructorSignature', 'rawDestructor=embind__requireFunction('],
  ['registeredPointers[rawType]=', 'replacePublicSymbol(legalFunctionName'],
  ['Module["count_emval_handles"]=', '};var Emval='],
  ['InternalError=Module[', 'init_ClassHandle();'],
  ['UnboundTypeError=Module[', 'init_emval();'],
  // Functions that the glue itself never calls.
  ['wasmExports["__getTypeName"]=', 'return wasmExports}'],
  // Names are registered without a signature.
  ['name=getFunctionName(name);', 'rawInvoker=embind__requireFunction('],
];

/** Code for calls of functions with 64-bit values, which no bound function has. */
const with64BitValues = [
  ['if(sig.includes("j")){', 'var rtn='],
  ['if(signature.includes("j")){', 'if(signature.includes("p")){'],
];

/** Shortened parts. */
const shorter = [
  // Nothing to wait for but the instance.
  [
    'addOnInit(wasmExports["__wasm_call_ctors"]);removeRunDependency("wasm-instantiate");',
    'wasmExports["__wasm_call_ctors"]();readyPromiseResolve(Module);',
  ],
  [/if\(Module\["instantiateWasm"\]\)\{try\{(return .*?)\}catch.*?\}\}return\{\}/, '$1'],
  [/Module\["HEAP\w+"\]=/g, ''],
  // Names for messages about values out of range, which the package never passes.
  ['var name=registeredInstance.name;', ''],
  [/var checkAssertions=\(value,toTypeName\)=>\{\};/g, ''],
  [/checkAssertions\(value,this\.name\);/g, ''],
  // Names of classes and functions are names in JavaScript too.
  ['makeLegalFunctionName(name)', 'name'],
  [
    /var functionName=`methodCaller<.*?createNamedFunction\(functionName,invokerFunction\)/,
    'return emval_addMethodCaller(invokerFunction',
  ],
  [',wasi_snapshot_preview1:wasmImports', ''],
  [/var symbol=emval_symbols\[.*?(return .*?)\}return symbol/, '$1'],
];

/** Properties of Embind's records of types and classes, which only the glue reads, by shorter names. */
const properties = `
  argPackAdvance baseClass constructor_body destructorFunction fromWireType getPointee instancePrototype isSmartPointer
  isVoid pointeeType ptrType rawDestructor rawGetPointee readValueFromPointer registeredClass smartPtr smartPtrType
  toWireType upcast
`
  .trim()
  .split(/\s+/)
  .map((name, i) => [new RegExp(`\\b${name}\\b`, 'g'), `$$$${i.toString(36)}`]);

const withoutAll = (texts, glue) => texts.reduce((rest, [begin, end]) => without(begin, end, rest), glue);

/** All but what lies from `begin` to before `end`. */
function without(begin, end, glue) {
  const from = glue.indexOf(begin);
  const to = glue.indexOf(end, from);
  if (from < 0 || to < 0) throw unexpected(begin);
  return glue.slice(0, from) + glue.slice(to);
}

function withAll(replacements, glue) {
  return replacements.reduce((rest, [pattern, replacement]) => {
    const replaced = rest.replace(pattern, replacement);
    if (replaced === rest) throw unexpected(pattern);
    return replaced;
  }, glue);
}

const unexpected = (text) =>
  new Error(`the JavaScript glue has another form than tools/build/glue.mjs expects: there is no ${text}`);
