// The destination of a converted file: straight to disk where the browser lets pages write there, else into a Blob that
// can be downloaded.

export interface Destination {
  /** Receives the pieces of the file. If aborted, it leaves no file behind. */
  stream: WritableStream<Uint8Array>;
  /** The file, once the stream is closed. */
  file(): Promise<File>;
  /** Whether the file is on disk already. */
  saved: boolean;
}

interface SavePickerWindow {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle & { remove?(): Promise<void> }>;
}

/**
 * Pieces are handed over to the browser in Blobs of this size, which it may keep on disk. Each is copied in one task of
 * the page: 16 MB took 100 ms on a busy machine.
 */
const blobBytes = 4 << 20;

/** Undefined where the visitor closes the dialog. Call it right after a click: browsers want one for the dialog. */
export async function chooseDestination(name: string): Promise<Destination | undefined> {
  const { showSaveFilePicker } = window as SavePickerWindow;
  if (!showSaveFilePicker) return inMemory(name);
  try {
    return await onDisk(await showSaveFilePicker.call(window, { suggestedName: name }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

async function onDisk(handle: FileSystemFileHandle & { remove?(): Promise<void> }): Promise<Destination> {
  const { size } = await handle.getFile();
  const writable = await handle.createWritable();
  const writer = writable.getWriter();
  const stream = new WritableStream<Uint8Array>({
    write: (piece) => writer.write(piece as Uint8Array<ArrayBuffer>),
    close: () => writer.close(),
    async abort(reason) {
      await writer.abort(reason);
      // The dialog has made an empty file. An older file stays unchanged.
      if (size === 0) await handle.remove?.();
    },
  });
  return { stream, file: () => handle.getFile(), saved: true };
}

function inMemory(name: string): Destination {
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  const stream = new WritableStream<Uint8Array>({
    write(piece) {
      pieces.push(piece as Uint8Array<ArrayBuffer>);
      waiting += piece.length;
      if (waiting < blobBytes) return;
      blobs.push(new Blob(pieces));
      [pieces, waiting] = [[], 0];
    },
  });
  return { stream, file: async () => new File([...blobs, ...pieces], name), saved: false };
}
