// The worker script that reads, checks and converts files, in browsers and in Node.

import { parent } from '#platform/own_thread';

import { serve } from '../worker/server.js';
import { startFilesHost } from './host.js';

serve(parent, startFilesHost);
