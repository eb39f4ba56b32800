import { byId, element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { count, counted } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { canOpenFolders, chooseFolder, mayRead } from './folder_access.js';
import type { Collection } from './library/protocol.js';

interface Actions {
  onFiles(files: File[]): void;
  onFolder(folder: FileSystemDirectoryHandle): void;
  onForget(): void;
}

/** The sources of pictures, and the pictures kept from them. */
export class SourcesPanel {
  private readonly collection = byId('collection', HTMLElement);
  private readonly problem = byId('sources-problem', HTMLElement);
  private readonly known = byId('known-folders', HTMLElement);
  private readonly forget = byId('forget', HTMLButtonElement);
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(private readonly actions: Actions) {
    dropArea(byId('pictures', HTMLLabelElement), (files) => actions.onFiles(files), document.documentElement);
    this.forget.onclick = () => actions.onForget();
    const folder = byId('folder', HTMLInputElement);
    folder.onchange = () => {
      const files = [...(folder.files ?? [])];
      folder.value = '';
      if (files.length > 0) actions.onFiles(files);
    };
    const open = byId('open-folder', HTMLButtonElement);
    open.hidden = !canOpenFolders();
    byId('folder-field', HTMLElement).hidden = canOpenFolders();
    open.onclick = () => void this.choose();
  }

  show({ pictures, indexed, unsaved }: Collection): void {
    this.forget.hidden = pictures === 0;
    const parts = [counted(pictures, 'picture')];
    if (indexed < pictures) parts.push(`${count(indexed)} with a vector of this model`);
    parts.push(unsaved ? `${unsaved}: they are gone with this page` : 'kept in this browser, never uploaded');
    this.collection.textContent = pictures === 0 ? 'None yet. They stay on this device.' : `${parts.join('; ')}.`;
  }

  /** Folders that may be looked through again; the browser asks the visitor. */
  offer(folders: readonly FileSystemDirectoryHandle[]): void {
    for (const folder of folders) {
      this.buttons.get(folder.name)?.remove();
      const button = element(
        'button',
        { type: 'button', className: 'button' },
        `Look for new pictures in ${folder.name}`,
      );
      button.onclick = () => void this.reopen(folder);
      this.buttons.set(folder.name, button);
      this.known.append(button);
    }
  }

  forgetFolders(): void {
    this.buttons.clear();
    this.known.replaceChildren();
  }

  private async choose(): Promise<void> {
    this.problem.replaceChildren();
    try {
      const folder = await chooseFolder();
      if (!folder) return;
      this.offer([folder]);
      this.actions.onFolder(folder);
    } catch (error) {
      showProblem(this.problem, 'The folder could not be opened', error);
    }
  }

  private async reopen(folder: FileSystemDirectoryHandle): Promise<void> {
    this.problem.replaceChildren();
    try {
      if (await mayRead(folder)) this.actions.onFolder(folder);
    } catch (error) {
      showProblem(this.problem, `${folder.name} could not be opened`, error);
    }
  }
}
