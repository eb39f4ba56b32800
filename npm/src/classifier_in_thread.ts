// An image classifier in the caller's thread.

export { loadClassifier } from './classifier_host.js';
