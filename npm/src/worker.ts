// The script of a worker, in browsers and in Node.

import { threads } from 'quintet-threads';

import { serve } from './worker_server.js';

serve(threads.parent());
