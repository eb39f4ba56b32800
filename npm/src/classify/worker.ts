// The script of an image classifier's worker, in browsers and in Node.

import { parent } from '#platform/parent';

import { serve } from '../remote/server.js';
import { classifierMethods } from './calls.js';
import { loadClassifierHost } from './host.js';

serve(parent, loadClassifierHost, classifierMethods);
