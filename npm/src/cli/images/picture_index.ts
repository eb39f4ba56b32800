// A saved index of pictures: a SearchIndex whose ids are the paths of the pictures, relative to the index. The folder
// and its index can so be moved together.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { inputError, ioError, messageOf, QuintetError } from '../../base/errors.js';
import { type ImageEmbedder, type ImageEntry, SearchIndex } from '../../index.js';
import { readContainer } from '../../safetensors/container.js';
import { writeAtomically } from '../output/atomic_file.js';
import type { PictureFile } from './picture_files.js';

/** An index's record of a picture. The size and the time show whether it has changed. */
export interface PictureFacts {
  bytes: number;
  modified: number;
  /** When it was taken, according to the file: '2023-07-14T18:03:22'. */
  taken?: string;
}

/** A picture whose file was read. */
export interface ReadPicture extends PictureFile {
  image: Uint8Array;
  /** As in PictureFacts. */
  taken: string | undefined;
}

export interface PictureHit {
  path: string;
  score: number;
  taken?: string;
}

/** The metadata of such an index: the architecture of its model. */
const MODEL = 'images.model';

export class PictureIndex {
  private constructor(
    private readonly path: string,
    private readonly model: string,
    private readonly index: SearchIndex<PictureFacts>,
  ) {}

  /** An index that has not been saved yet. */
  static create(path: string, embedder: ImageEmbedder): PictureIndex {
    return new PictureIndex(path, modelOf(embedder), new SearchIndex<PictureFacts>({ embedder }));
  }

  /** Undefined if there is no such file. Any other file, and an index of another model, is an error. */
  static async open(path: string, embedder: ImageEmbedder): Promise<PictureIndex | undefined> {
    const bytes = await bytesOf(path);
    if (!bytes) return undefined;
    const model = await savedModel(bytes, path);
    if (model !== modelOf(embedder)) {
      throw inputError('mismatch', `${path} was built with another model: ${model}, not ${modelOf(embedder)}`);
    }
    return new PictureIndex(path, model, await SearchIndex.load<PictureFacts>(bytes, { embedder }));
  }

  get size(): number {
    return this.index.size;
  }

  /** 'new', 'changed' or 'known'. */
  stateOf({ path, bytes, modified }: PictureFile): 'new' | 'changed' | 'known' {
    const facts = this.index.get(this.idOf(path))?.payload;
    if (!facts) return 'new';
    return facts.bytes === bytes && facts.modified === modified ? 'known' : 'changed';
  }

  /** Adds pictures with their vectors. `onBroken` is called for one that cannot be decoded, with its path. */
  async embed(
    pictures: AsyncIterable<ReadPicture>,
    onBroken: (path: string, error: QuintetError) => void,
    onProgress: (done: number) => void,
  ): Promise<void> {
    const paths = new Map<string | number, string>();
    const entryOf = ({ path, bytes, modified, taken, image }: ReadPicture): ImageEntry<PictureFacts> => {
      const id = this.idOf(path);
      paths.set(id, path);
      return { id, image, payload: { bytes, modified, ...(taken && { taken }) } };
    };
    async function* entries() {
      for await (const picture of pictures) yield entryOf(picture);
    }
    await this.index.addImages(entries(), { onProgress, onError: (id, error) => onBroken(paths.get(id)!, error) });
  }

  remove(path: string): boolean {
    return this.index.remove(this.idOf(path));
  }

  /** Removes pictures of a folder that no longer exist. Returns their number. */
  keepOnly(pictures: readonly PictureFile[], folder: string): number {
    const kept = new Set(pictures.map(({ path }) => this.idOf(path)));
    const inside = resolve(folder) + sep;
    const gone = this.index.ids().filter((id) => !kept.has(String(id)) && resolve(this.pathOf(id)).startsWith(inside));
    for (const id of gone) this.index.remove(id);
    return gone.length;
  }

  /**
   * The pictures nearest to a vector, best first. `taken`: only those whose time begins with it, '2023-07' for example.
   */
  nearest(vector: Float32Array, k: number, taken?: string): PictureHit[] {
    const filter = taken && ((facts: PictureFacts) => facts.taken?.startsWith(taken) ?? false);
    return this.index.nearest(vector, { k, ...(filter && { filter }) }).map(({ id, score, payload }) => ({
      path: this.pathOf(id),
      score,
      ...(payload?.taken && { taken: payload.taken }),
    }));
  }

  async save(): Promise<void> {
    await writeAtomically(this.path, [await this.index.save({ metadata: { [MODEL]: this.model } })]);
  }

  private idOf(path: string): string {
    return relative(dirname(this.path), path).replaceAll(sep, '/');
  }

  private pathOf(id: string | number): string {
    return join(dirname(this.path), String(id));
  }
}

/** A SearchIndex distinguishes models that embed words; for others there is only this check. */
const modelOf = ({ info, dimension }: ImageEmbedder): string => `${info.architecture}, ${dimension} dimensions`;

async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw ioError('read_failed', `cannot read the index ${path}: ${messageOf(error)}`, error);
  }
}

async function savedModel(bytes: Uint8Array, path: string): Promise<string> {
  const { metadata } = await readContainer(bytes).catch((cause: unknown) => {
    throw notAnIndex(path, cause);
  });
  const model = metadata[MODEL];
  if (model === undefined) throw notAnIndex(path);
  return model;
}

const notAnIndex = (path: string, cause?: unknown): QuintetError =>
  new QuintetError('INPUT', `${path} is not an index of pictures`, { cause });
