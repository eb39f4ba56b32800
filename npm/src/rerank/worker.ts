// The worker script of rerankers, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadRerankerHost } from './host.js';

serve(parent, loadRerankerHost);
