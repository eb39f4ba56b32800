// The script of a worker whose text generator has 64-bit memory. Apart from worker.ts, so that no worker needs import(), which
// bundlers do not take there.

import { parent } from '#platform/parent';

import { serve } from '../remote/server.js';
import { generatorMethods } from './calls.js';
import { loadMemory64Host } from './memory64_engine.js';

serve(parent, loadMemory64Host, generatorMethods);
