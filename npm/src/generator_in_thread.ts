// A text generator in the caller's thread.

import { obtainDecoderEngine } from './decoder_engine.js';
import { generatorLoader } from './generator_host.js';

export const loadGenerator = generatorLoader(obtainDecoderEngine);
