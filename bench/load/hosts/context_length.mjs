/** Of the models that are loaded: their KV cache is small. */
export const CONTEXT_LENGTH = 512;
