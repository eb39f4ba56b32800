// The script of an embedder's worker, in browsers and in Node.

import { threads } from 'quintet-threads';

import { loadEmbedder } from './embedder_host.js';
import { serve } from './worker_server.js';

serve(threads.parent(), loadEmbedder);
