// The script of an image classifier's worker, in browsers and in Node.

import { parent } from 'quintet-parent';

import { loadClassifier } from './classifier_host.js';
import { serve } from './worker_server.js';

serve(parent, loadClassifier);
