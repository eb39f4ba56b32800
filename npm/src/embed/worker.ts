// The worker script of embedders, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadEmbedderHost } from './host.js';

serve(parent, loadEmbedderHost);
