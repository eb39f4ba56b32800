// The worker script of text generators, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadGeneratorHost } from './engine.js';

serve(parent, loadGeneratorHost);
