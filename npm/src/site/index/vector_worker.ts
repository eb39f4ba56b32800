// The script of the thread that computes the vectors of a large site.

import { parent } from '#platform/own_thread';
import { toPlain } from '../../worker/protocol.js';
import { receivedJob, type SentJob, vectorFiles } from './vector_files.js';
import type { FromVectorThread } from './vector_thread.js';

const post = (message: FromVectorThread, transfer?: Transferable[]) => parent.post(message, transfer);

parent.listen((job) => {
  vectorFiles(receivedJob(job as SentJob)).then(
    (value) =>
      post(
        { value },
        value.files.map(({ bytes }) => bytes.buffer),
      ),
    (error) => post({ error: toPlain(error) }),
  );
});
post('ready');
