// Ids of answers and of what they consist of, as OpenAI's clients expect them: a prefix and random letters.

const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function newId(prefix: string): string {
  const random = crypto.getRandomValues(new Uint8Array(24));
  return prefix + Array.from(random, (byte) => letters[byte % letters.length]).join('');
}

/** Seconds since 1970. */
export const now = (): number => Math.floor(Date.now() / 1000);
