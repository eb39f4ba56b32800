// Ids of answers and their parts, as OpenAI's clients expect them: a prefix, and random letters and digits.

export const newId = (prefix: string): string =>
  prefix + Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => (byte % 36).toString(36)).join('');

/** Seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000);
