// The script of a worker, in browsers and in Node.

import { platform } from 'quintet-platform';

import { serve } from './worker_server.js';

serve(platform.parent());
