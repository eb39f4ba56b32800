// The hash of a stream: `#platform/sha256` is browser/sha256.ts or node/sha256.ts.

export interface StreamHash {
  update(bytes: Uint8Array): void;
  /** In base64. The object cannot be used afterwards. */
  digest(): string;
}
