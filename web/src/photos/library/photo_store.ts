// Stores data for the next visit: pictures with their thumbnails, vectors for each model, and folders that may be
// opened again.

import { Database } from './database.js';
import type { KnownModel, Picture } from './protocol.js';

export interface StoredModel extends KnownModel {
  probe: Float32Array;
}

const all = ['pictures', 'thumbnails', 'vectors', 'folders'];

export class PhotoStore {
  private constructor(private readonly database: Database) {}

  /** Vectors have the key [model, id]; models have numbers. */
  static async opened(): Promise<PhotoStore> {
    const stores = { pictures: { keyPath: 'id' }, thumbnails: {}, vectors: {}, folders: {} };
    const more = { models: { autoIncrement: true }, settings: {} };
    return new PhotoStore(await Database.opened('quintet-photos', { ...stores, ...more }));
  }

  async pictures(): Promise<Picture[]> {
    const [pictures] = await this.database.read<[Picture[]]>('pictures', (store) => [store.getAll()]);
    return pictures;
  }

  async models(): Promise<Map<number, StoredModel>> {
    const [keys, models] = await this.database.read<[IDBValidKey[], StoredModel[]]>('models', (store) => [
      store.getAllKeys(),
      store.getAll(),
    ]);
    return new Map(keys.map((key, i) => [key as number, models[i]!]));
  }

  async lastModel(): Promise<number | undefined> {
    const [key] = await this.database.read<[number | undefined]>('settings', (store) => [store.get('model')]);
    return key;
  }

  /** It is the last one now. Gives its number, a new one if there was none. */
  async saveModel(model: StoredModel, known?: number): Promise<number> {
    let key = known;
    await this.database.write(['models', 'settings'], (store) => {
      const saving = store('models').put(model, known);
      saving.onsuccess = () => {
        key = saving.result as number;
        store('settings').put(key, 'model');
      };
    });
    return key!;
  }

  async vectors(model: number): Promise<Map<string, Float32Array>> {
    const range = IDBKeyRange.bound([model], [model, []]);
    const [keys, vectors] = await this.database.read<[IDBValidKey[], Float32Array[]]>('vectors', (store) => [
      store.getAllKeys(range),
      store.getAll(range),
    ]);
    return new Map(keys.map((key, i) => [(key as [number, string])[1], vectors[i]!]));
  }

  add(model: number, picture: Picture, vector: Float32Array, thumbnail: Blob | undefined): Promise<void> {
    return this.database.write(all, (store) => {
      store('pictures').put(picture);
      store('vectors').put(vector, [model, picture.id]);
      if (thumbnail) store('thumbnails').put(thumbnail, picture.id);
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    const models = [...(await this.models()).keys()];
    await this.database.write(all, (store) => {
      for (const id of ids) {
        store('pictures').delete(id);
        store('thumbnails').delete(id);
        for (const model of models) store('vectors').delete([model, id]);
      }
    });
  }

  thumbnails(ids: readonly string[]): Promise<(Blob | undefined)[]> {
    return this.database.read<(Blob | undefined)[]>('thumbnails', (store) => ids.map((id) => store.get(id)));
  }

  async folders(): Promise<FileSystemDirectoryHandle[]> {
    const [folders] = await this.database.read<[FileSystemDirectoryHandle[]]>('folders', (store) => [store.getAll()]);
    return folders;
  }

  rememberFolder(folder: FileSystemDirectoryHandle): Promise<void> {
    return this.database.write(['folders'], (store) => store('folders').put(folder, folder.name));
  }

  /** Models stay: nothing in them is the visitor's. */
  clear(): Promise<void> {
    return this.database.write(all, (store) => {
      for (const name of all) store(name).clear();
    });
  }
}
