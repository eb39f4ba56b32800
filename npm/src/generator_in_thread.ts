// A text generator in the caller's thread.

export { loadGenerator } from './generator_host.js';
