import type { Library } from './contestant.js';

export type Downloads = Record<Library, { scripts: number; module: number; model: number }>;

/** The downloads of a page for sentence embeddings, measured when this site was built. */
export async function readDownloads(): Promise<Downloads> {
  const response = await fetch(new URL('../../../build/web/comparison/downloads.json', import.meta.url));
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json() as Promise<Downloads>;
}

/** Scripts and WebAssembly, without the model. */
export const librarySize = (downloads: Downloads, library: Library): number =>
  downloads[library].scripts + downloads[library].module;
