// The worker script of image embedders, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadImageEmbedderHost } from './host.js';

serve(parent, loadImageEmbedderHost);
