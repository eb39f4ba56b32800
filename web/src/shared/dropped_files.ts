/**
 * The files that were dropped. Of a folder these are the files directly in it. To be called in the event, not later.
 */
export function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const given = [...files];
  const entries = [...items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve(given);
  // An entry that cannot be listed fails again when it is read, and is reported then.
  return Promise.all(entries.map(filesOf)).then(
    (all) => all.flat(),
    () => given,
  );
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await fileOf(entry)];
  const children = await childrenOf((entry as FileSystemDirectoryEntry).createReader());
  return Promise.all(children.filter(({ isFile }) => isFile).map(fileOf));
}

const fileOf = (entry: FileSystemEntry): Promise<File> =>
  new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));

/** A reader gives some entries at a time, and none at the end. */
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const children: FileSystemEntry[] = [];
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (next.length === 0) return children;
    children.push(...next);
  }
}
