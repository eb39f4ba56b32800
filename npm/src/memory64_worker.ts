// The script of a worker whose text generator has 64-bit memory. Apart from generator_worker.ts, so that no worker needs
// import(), which bundlers do not take there.

import { parent } from 'quintet-parent';

import { generatorLoader } from './generator_host.js';
import { obtainMemory64Engine } from './memory64_engine.js';
import { serve } from './worker_server.js';

serve(parent, generatorLoader(obtainMemory64Engine));
