// The worker that holds the pictures: it makes thumbnails, searches and saves, so the page is never blocked.

import type { SearchIndex } from 'quintet';

import { serve } from '../../shared/worker_service.js';
import { newIndex, search } from '../photo_search.js';
import { isSameModel } from '../probe.js';
import { groupsOf } from './groups.js';
import { PhotoStore, type StoredModel } from './photo_store.js';
import type { Collection, Duplicates, Group, KnownModel, Library, Picture, Shown } from './protocol.js';
import { thumbnailOf } from './thumbnail.js';

/** Limits of the duplicates that a page can show. */
const [maxGroups, maxInGroup] = [100, 12];

/** All pictures, and the index of those that have a vector of the model in use. */
class PhotoLibrary implements Library {
  private readonly pictures = new Map<string, Picture>();
  private readonly idsByPath = new Map<string, string>();
  /** Thumbnails that could not be stored. */
  private readonly thumbnails = new Map<string, Blob>();
  private index: SearchIndex<undefined> | undefined;
  /** Its number in the store. */
  private model: number | undefined;
  private unsaved: string | undefined;
  private readonly store = PhotoStore.opened();
  private readonly opening = this.open();

  async recall(): Promise<{ collection: Collection; model?: KnownModel; folders: FileSystemDirectoryHandle[] }> {
    const model = await this.opening;
    const folders = await this.stored((store) => store.folders(), []);
    return { collection: this.collection, folders, ...(model && { model }) };
  }

  async use(known: KnownModel, probe: Float32Array): Promise<Collection> {
    await this.opening;
    const models = await this.stored((store) => store.models(), new Map<number, StoredModel>());
    const [number] = [...models].find(([, { probe: other }]) => isSameModel(probe, other)) ?? [];
    const key = await this.stored((store) => store.saveModel({ ...known, probe }, number), undefined);
    if (!this.index || key === undefined || key !== this.model) await this.load(key, probe.length);
    return this.collection;
  }

  async missing(pictures: Picture[]): Promise<string[]> {
    await this.opening;
    return pictures.map(({ id }) => id).filter((id) => !this.index?.get(id));
  }

  async add(picture: Picture, file: Blob, vector: Float32Array): Promise<Collection> {
    await this.opening;
    const { id, path } = picture;
    const thumbnail = await thumbnailOf(file);
    const before = this.idsByPath.get(path);
    if (before !== undefined && before !== id) await this.remove([before]);
    this.know(picture);
    this.index!.add({ id, vector, payload: undefined });
    if (thumbnail) this.thumbnails.set(id, thumbnail);
    const { model } = this;
    if (model !== undefined) {
      await this.stored(async (store) => {
        await store.add(model, picture, vector, thumbnail);
        this.thumbnails.delete(id);
      }, undefined);
    }
    return this.collection;
  }

  async keepOnly(folder: string, ids: string[]): Promise<Collection> {
    await this.opening;
    const there = new Set(ids);
    const gone = [...this.pictures.values()].filter(({ id, path }) => path.startsWith(`${folder}/`) && !there.has(id));
    await this.remove(gone.map(({ id }) => id));
    return this.collection;
  }

  async search(vector: Float32Array, count: number, without?: string): Promise<Shown[]> {
    await this.opening;
    const hits = this.index ? search(this.index, vector, count + (without === undefined ? 0 : 1)) : [];
    const others = hits.filter(({ id }) => id !== without).slice(0, count);
    return this.shown(others.map(({ id, score }) => ({ ...this.pictures.get(id as string)!, score })));
  }

  async newest(count: number): Promise<Shown[]> {
    await this.opening;
    const sorted = [...this.pictures.values()].sort((a, b) => b.modified - a.modified);
    return this.shown(sorted.slice(0, count));
  }

  async vectorOf(id: string): Promise<Float32Array | undefined> {
    await this.opening;
    return this.index?.get(id)?.vector;
  }

  async duplicates(minScore: number): Promise<Duplicates> {
    await this.opening;
    const found = this.index ? await groupsOf(this.index, minScore) : [];
    const groups = found.slice(0, maxGroups).map(async ({ ids, score }): Promise<Group> => {
      const pictures = ids.slice(0, maxInGroup).flatMap((id) => this.pictures.get(id) ?? []);
      return { pictures: await this.shown(pictures), size: ids.length, score };
    });
    const pictures = found.reduce((sum, { ids }) => sum + ids.length, 0);
    return { groups: await Promise.all(groups), count: found.length, pictures };
  }

  async rememberFolder(folder: FileSystemDirectoryHandle): Promise<void> {
    // Not every browser stores these.
    await this.store.then((store) => store.rememberFolder(folder)).catch(() => {});
  }

  async forget(): Promise<Collection> {
    await this.opening;
    await this.stored((store) => store.clear(), undefined);
    this.pictures.clear();
    this.idsByPath.clear();
    this.thumbnails.clear();
    const dimension = this.index?.dimension;
    this.index?.close();
    this.index = dimension === undefined ? undefined : newIndex(dimension);
    this.unsaved = undefined;
    return this.collection;
  }

  private get collection(): Collection {
    const { unsaved } = this;
    return { pictures: this.pictures.size, indexed: this.index?.size ?? 0, ...(unsaved && { unsaved }) };
  }

  /** The model of the last visit, with its index. */
  private async open(): Promise<KnownModel | undefined> {
    for (const picture of await this.stored((store) => store.pictures(), [])) this.know(picture);
    const number = await this.stored((store) => store.lastModel(), undefined);
    if (number === undefined) return undefined;
    const models = await this.stored((store) => store.models(), new Map<number, StoredModel>());
    const stored = models.get(number);
    if (!stored) return undefined;
    await this.load(number, stored.probe.length);
    const { probe, ...model } = stored;
    return model;
  }

  private async load(model: number | undefined, dimension: number): Promise<void> {
    const none = new Map<string, Float32Array>();
    const vectors = model === undefined ? none : await this.stored((store) => store.vectors(model), none);
    const index = newIndex(dimension);
    for (const [id, vector] of vectors) if (this.pictures.has(id)) index.add({ id, vector, payload: undefined });
    this.index?.close();
    [this.index, this.model] = [index, model];
  }

  private know(picture: Picture): void {
    this.pictures.set(picture.id, picture);
    this.idsByPath.set(picture.path, picture.id);
  }

  private async remove(ids: string[]): Promise<void> {
    for (const id of ids) {
      const { path } = this.pictures.get(id)!;
      this.pictures.delete(id);
      if (this.idsByPath.get(path) === id) this.idsByPath.delete(path);
      this.thumbnails.delete(id);
      this.index?.remove(id);
    }
    if (ids.length > 0) await this.stored((store) => store.remove(ids), undefined);
  }

  private async shown(pictures: Shown[]): Promise<Shown[]> {
    const ids = pictures.map(({ id }) => id);
    const thumbnails = await this.stored((store) => store.thumbnails(ids), []);
    return pictures.map((picture, i) => {
      const thumbnail = this.thumbnails.get(picture.id) ?? thumbnails[i];
      return thumbnail ? { ...picture, thumbnail } : picture;
    });
  }

  /** Without storage the pictures can be searched as long as the page is open. */
  private async stored<Value>(action: (store: PhotoStore) => Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await action(await this.store);
    } catch (error) {
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      this.unsaved = isFull
        ? 'The storage limit of this site is reached'
        : 'The browser does not let this site store data';
      return otherwise;
    }
  }
}

serve<Library>(new PhotoLibrary());
