// Stands for a WebAssembly module that is not built: its loops in JavaScript give the same bits.
export default '';
