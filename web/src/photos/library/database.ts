// IndexedDB with promises.

export type Stores = Readonly<Record<string, IDBObjectStoreParameters>>;

export class Database {
  private constructor(private readonly open: IDBDatabase) {}

  /** @throws DOMException where the browser stores nothing for this site */
  static opened(name: string, stores: Stores): Promise<Database> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        for (const [store, options] of Object.entries(stores)) request.result.createObjectStore(store, options);
      };
      request.onsuccess = () => {
        // The visitor's browser may delete what this site has stored.
        request.result.onversionchange = () => request.result.close();
        resolve(new Database(request.result));
      };
      request.onerror = () => reject(request.error);
    });
  }

  /** The results of requests, in their order. */
  read<Values extends unknown[]>(
    name: string,
    ask: (store: IDBObjectStore) => { [At in keyof Values]: IDBRequest<Values[At]> },
  ): Promise<Values> {
    return new Promise((resolve, reject) => {
      const transaction = this.open.transaction(name, 'readonly');
      const requests = ask(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(requests.map(({ result }) => result) as Values);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  /**
   * Resolves when the transaction is complete: nothing is written before.
   * @throws DOMException QuotaExceededError if there is not enough storage
   */
  write(names: readonly string[], change: (store: (name: string) => IDBObjectStore) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const transaction = this.open.transaction([...names], 'readwrite');
      change((name) => transaction.objectStore(name));
      transaction.oncomplete = () => resolve();
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }
}
