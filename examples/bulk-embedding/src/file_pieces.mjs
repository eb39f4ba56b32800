import { open } from 'node:fs/promises';

const pieceBytes = 1 << 20;

/** The bytes of a file in pieces, each valid until the next one: they share a buffer, which leaves no garbage. */
export async function* piecesOf(path) {
  const buffer = Buffer.alloc(pieceBytes);
  const file = await open(path);
  try {
    for (let bytes; (bytes = (await file.read(buffer, 0, pieceBytes)).bytesRead) > 0; ) yield buffer.subarray(0, bytes);
  } finally {
    await file.close();
  }
}
