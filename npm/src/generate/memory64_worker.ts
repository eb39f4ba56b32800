// The worker script of text generators in 64-bit memory. Separate from worker.ts, because bundlers do not support
// import() in workers.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadMemory64Host } from './memory64_engine.js';

serve(parent, loadMemory64Host);
