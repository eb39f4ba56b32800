// Collects the bytes of one line. For a line beyond the limit, only a digest is kept.
import { createHash, type Hash } from 'node:crypto';

/** More than a whole book. */
export const LONGEST_LINE = 1 << 24;

export class LinePieces {
  /** Bytes so far. */
  length = 0;
  private pieces: Uint8Array[] = [];
  private digest: Hash | undefined;

  get isTooLong(): boolean {
    return this.digest !== undefined;
  }

  add(piece: Uint8Array): void {
    this.length += piece.length;
    if (this.length > LONGEST_LINE) this.digest ??= this.takeDigest();
    if (this.digest) this.digest.update(piece);
    else this.pieces.push(piece);
  }

  /** Returns the bytes, or the SHA-256 of a line that is too long, and starts the next line. */
  take(): Uint8Array {
    const { digest, pieces } = this;
    this.length = 0;
    this.pieces = [];
    this.digest = undefined;
    if (digest) return digest.digest();
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  private takeDigest(): Hash {
    const digest = createHash('sha256');
    for (const piece of this.pieces) digest.update(piece);
    this.pieces = [];
    return digest;
  }
}
