// The script of a text generator's worker, in browsers and in Node.

import { threads } from 'quintet-threads';

import { loadGenerator } from './generator_host.js';
import { serve } from './worker_server.js';

serve(threads.parent(), loadGenerator);
