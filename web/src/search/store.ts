// The visitor's corpus in IndexedDB. It is one record, written in one transaction, so it is never stored in part.

export interface StoredCorpus {
  files: string[];
  /** Name of the embedder: vectors of another model are useless. */
  model: string;
  /** A saved SearchIndex, whose payloads are the passages. */
  index: Uint8Array;
}

const database = 'quintet-search';
const table = 'corpora';
const key = 'own';

/** Undefined if there is none, or if the browser stores nothing for this site. */
export async function readStored(): Promise<StoredCorpus | undefined> {
  try {
    return await inTransaction('readonly', (store) => store.get(key) as IDBRequest<StoredCorpus | undefined>);
  } catch {
    return undefined;
  }
}

/** @throws DOMException QuotaExceededError if there is not enough storage */
export async function store(corpus: StoredCorpus): Promise<void> {
  await inTransaction('readwrite', (store) => store.put(corpus, key));
}

export async function forgetStored(): Promise<void> {
  await inTransaction('readwrite', (store) => store.delete(key));
}

/** Resolves when the transaction is complete: nothing is written before. */
async function inTransaction<Value>(
  mode: IDBTransactionMode,
  action: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> {
  const open = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = open.transaction(table, mode, { durability: 'strict' });
      const request = action(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? request.error);
    });
  } finally {
    open.close();
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
