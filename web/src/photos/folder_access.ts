// Folders that a page may open again, where the browser has the File System Access API.

interface FolderWindow {
  showDirectoryPicker?(options: { id: string; mode: 'read' }): Promise<FileSystemDirectoryHandle>;
}

interface AskingHandle {
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
}

export const canOpenFolders = (): boolean => 'showDirectoryPicker' in window;

/** Undefined where the visitor closes the dialog. Call it right after a click: browsers want one for the dialog. */
export async function chooseFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (window as FolderWindow).showDirectoryPicker!({ id: 'photos', mode: 'read' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** After a reload the browser asks the visitor again. Call it right after a click, too. */
export async function mayRead(folder: FileSystemDirectoryHandle): Promise<boolean> {
  const state = await (folder as AskingHandle).requestPermission?.({ mode: 'read' });
  return state === undefined || state === 'granted';
}
