import { createHash } from 'node:crypto';
import { piecesOf } from './file_pieces.mjs';

export async function sha256OfFile(path) {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(path)) hash.update(piece);
  return hash.digest('hex');
}
