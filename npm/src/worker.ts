// The script of an embedder's worker, in browsers and in Node.

import { parent } from 'quintet-parent';

import { loadEmbedder } from './embedder_host.js';
import { serve } from './worker_server.js';

serve(parent, loadEmbedder);
