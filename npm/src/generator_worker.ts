// The script of a text generator's worker, in browsers and in Node.

import { parent } from 'quintet-parent';

import { loadGenerator } from './generator_in_thread.js';
import { serve } from './worker_server.js';

serve(parent, loadGenerator);
