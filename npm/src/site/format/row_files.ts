// The file with the vector of a word: the most frequent ones of the site are in the first, and the others go by a hash,
// since words of a query have nothing else in common.

/** @param files At least 2 */
export function rowFileOf(word: string, files: number): number {
  // FNV-1a, over UTF-16 units (http://www.isthe.com/chongo/tech/comp/fnv/).
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; ++i) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return 1 + ((hash >>> 0) % (files - 1));
}
