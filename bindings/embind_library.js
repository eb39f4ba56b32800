// Functions of Embind's JavaScript that quintet does not need, or not as they are, in place of Emscripten's own: every page
// downloads them.
addToLibrary({
  // No wide string crosses.
  _embind_register_std_wstring: (type, charSize, name) => {},
  // Every engine that can run the module has it.
  $emval_get_global: () => globalThis,
  // Types that are passed are bound: a test loads every class.
  $throwUnboundTypeError: (message) => {
    throw new TypeError(message);
  },
  // A handle's owner deletes it (npm/src/native_owner.ts, feed.ts), once, ...
  $attachFinalizer: (handle) => handle,
  // ... and asks nothing else of it.
  $init_ClassHandle__deps: ['$ClassHandle', '$releaseClassHandle'],
  $init_ClassHandle: () => {
    ClassHandle.prototype['delete'] = function () {
      releaseClassHandle(this.$$);
      this.$$.smartPtr = undefined;
      this.$$.ptr = undefined;
    };
  },
});
