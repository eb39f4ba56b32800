// The script of a text generator's worker, in browsers and in Node.

import { parent } from 'quintet-parent';

import { obtainDecoderEngine } from './decoder_engine.js';
import { generatorLoader } from './generator_host.js';
import { serve } from './worker_server.js';

serve(parent, generatorLoader(obtainDecoderEngine));
