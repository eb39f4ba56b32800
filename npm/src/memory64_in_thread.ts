// A text generator in 64-bit memory, in the caller's thread.

import { generatorLoader } from './generator_host.js';
import { obtainMemory64Engine } from './memory64_engine.js';

export const loadGeneratorInMemory64 = generatorLoader(obtainMemory64Engine);
