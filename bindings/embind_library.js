// Smaller replacements for functions of Embind's JavaScript that quintet does not need in full, because every page
// downloads them.
addToLibrary({
  // Wide strings are not used.
  _embind_register_std_wstring: (type, charSize, name) => {},
  // Text is passed as UTF-8, which browsers encode and decode natively, but not in shared memory.
  _embind_register_std_string__deps: ['$readLatin1String', '$registerType', '$readPointer', '$throwBindingError', 'malloc', 'free'],
  _embind_register_std_string: (rawType, name) => {
    name = readLatin1String(name);
    const encoder = new TextEncoder();
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    registerType(rawType, {
      name,
      'fromWireType'(value) {
        const length = {{{ makeGetValue('value', '0', '*') }}};
        const begin = value + {{{ POINTER_SIZE }}};
        // Emscripten converts the bounds of a subarray to unsigned, but not those of a slice.
        const text = decoder.decode(HEAPU8.subarray(begin, begin + length).slice());
        _free(value);
        return text;
      },
      'toWireType'(destructors, text) {
        const bytes = encoder.encode(text);
        const base = _malloc({{{ POINTER_SIZE }}} + bytes.length + 1);
        if (!base) throwBindingError('no memory for a text');
        {{{ makeSetValue('base', '0', 'bytes.length', '*') }}};
        const begin = base + {{{ POINTER_SIZE }}};
        HEAPU8.set(bytes, begin);
        HEAPU8[begin + bytes.length] = 0;
        destructors?.push(_free, base);
        return base;
      },
      argPackAdvance: GenericWireTypeSize,
      'readValueFromPointer': readPointer,
      destructorFunction: _free,
    });
  },
  // Supported by every engine that can run the module.
  $emval_get_global: () => globalThis,
  // Nothing depends on the kind of Embind's errors.
  $extendError: (base, name) => base,
  // All types in use are bound: a test loads every class.
  $throwUnboundTypeError: (message) => {
    throw new TypeError(message);
  },
  // Would stand in for a class or function until all of its types are bound.
  $exposePublicSymbol: (name, value) => {},
  // There are no overloads: names and methods are as registered.
  $replacePublicSymbol: (name, value) => {
    Module[name] = value;
  },
  _embind_register_class_constructor__deps: [
    ...['$heap32VectorToArray', '$embind__requireFunction', '$whenDependentTypesAreResolved', '$craftInvokerFunction'],
  ],
  _embind_register_class_constructor: (rawClass, argCount, rawArgTypes, signature, invoker, rawConstructor) => {
    const types = heap32VectorToArray(argCount, rawArgTypes);
    invoker = embind__requireFunction(signature, invoker);
    whenDependentTypesAreResolved([], [rawClass], ([{ name, registeredClass }]) => {
      const constructors = (registeredClass.constructor_body ??= []);
      whenDependentTypesAreResolved([], types, ([made, ...args]) => {
        constructors[argCount - 1] = craftInvokerFunction(name, [made, null, ...args], null, invoker, rawConstructor);
        return [];
      });
      return [];
    });
  },
  _embind_register_class_function__deps: [
    ...['$readLatin1String', '$heap32VectorToArray', '$embind__requireFunction', '$whenDependentTypesAreResolved', '$craftInvokerFunction'],
  ],
  _embind_register_class_function: (rawClass, method, argCount, rawArgTypes, signature, invoker, context, isVirtual, isAsync, isNonnull) => {
    const types = heap32VectorToArray(argCount, rawArgTypes);
    method = readLatin1String(method);
    invoker = embind__requireFunction(signature, invoker);
    whenDependentTypesAreResolved([], [rawClass], ([type]) => {
      whenDependentTypesAreResolved([], types, (args) => {
        type.registeredClass.instancePrototype[method] = craftInvokerFunction(method, args, type, invoker, context);
        return [];
      });
      return [];
    });
  },
  // Handles are only passed as the object of a method call.
  $genericPointerToWireType__deps: ['$throwBindingError', '$upcastPointer'],
  $genericPointerToWireType: function (destructors, handle) {
    const { ptr, ptrType } = handle.$$;
    if (!ptr) throwBindingError('a method of a deleted object');
    return upcastPointer(ptr, ptrType.registeredClass, this.registeredClass);
  },
  // Handles need only these properties of a class and of a pointer to it.
  $RegisteredClass: function (name, constructor, instancePrototype, rawDestructor, baseClass, getActualType, upcast) {
    Object.assign(this, { instancePrototype, rawDestructor, baseClass, upcast });
  },
  $RegisteredPointer__deps: ['$init_RegisteredPointer'],
  $RegisteredPointer__postset: 'init_RegisteredPointer()',
  $RegisteredPointer: function (name, registeredClass, isReference, isConst, isSmartPointer, pointeeType, sharingPolicy, rawGetPointee, rawConstructor, rawShare, rawDestructor) {
    Object.assign(this, { name, registeredClass, isSmartPointer, pointeeType, rawGetPointee, rawDestructor });
  },
  $init_RegisteredPointer__deps: ['$RegisteredPointer', '$readPointer', '$RegisteredPointer_fromWireType', '$genericPointerToWireType', '$GenericWireTypeSize'],
  $init_RegisteredPointer: () => {
    Object.assign(RegisteredPointer.prototype, {
      getPointee(ptr) {
        return this.rawGetPointee ? this.rawGetPointee(ptr) : ptr;
      },
      argPackAdvance: GenericWireTypeSize,
      'readValueFromPointer': readPointer,
      destructorFunction: null,
      'fromWireType': RegisteredPointer_fromWireType,
      'toWireType': genericPointerToWireType,
    });
  },
  // Returned objects have the registered class, and are new each time: no class here has subclasses.
#if MEMORY64
  $RegisteredPointer_fromWireType__deps: ['$makeClassHandle', '$bigintToI53Checked'],
#else
  $RegisteredPointer_fromWireType__deps: ['$makeClassHandle'],
#endif
  $RegisteredPointer_fromWireType: function (ptr) {
#if MEMORY64
    ptr = bigintToI53Checked(ptr);
#endif
    const of = this.isSmartPointer
      ? { ptrType: this.pointeeType, ptr: this.getPointee(ptr), smartPtrType: this, smartPtr: ptr }
      : { ptrType: this, ptr };
    return makeClassHandle(this.registeredClass.instancePrototype, of);
  },
  // The owner of a handle deletes it once (npm/src/engine/native_object.ts, load/feed.ts), ...
  $attachFinalizer: (handle) => handle,
  // ... and uses nothing else of it.
  $init_ClassHandle__deps: ['$ClassHandle', '$releaseClassHandle'],
  $init_ClassHandle: () => {
    ClassHandle.prototype['delete'] = function () {
      releaseClassHandle(this.$$);
      this.$$.smartPtr = undefined;
      this.$$.ptr = undefined;
    };
  },
});
