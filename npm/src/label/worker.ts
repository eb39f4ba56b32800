// The worker script of classifiers of texts and of tokens, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadLabelerHost } from './host.js';

serve(parent, loadLabelerHost);
