// The worker script of image classifiers, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { loadClassifierHost } from './host.js';

serve(parent, loadClassifierHost);
