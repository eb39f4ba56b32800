import { droppedFiles } from './dropped_files.js';

/**
 * Makes a `<label class="drop">` with its `<input type="file">` accept files: chosen, or dropped anywhere on `target`.
 * `onFiles` decides what to do with them.
 */
export function dropArea(label: HTMLLabelElement, onFiles: (files: File[]) => void, target: HTMLElement = label): void {
  const input = label.querySelector<HTMLInputElement>('input[type=file]')!;
  const take = () => {
    const files = [...(input.files ?? [])];
    // Choosing the same file again is then a change too.
    input.value = '';
    if (files.length > 0) onFiles(files);
  };
  input.addEventListener('change', take);
  // Files may have been chosen before this script arrived. They are taken once the page is set up.
  queueMicrotask(take);
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (event: DragEvent, over: boolean) => {
    if (!carriesFiles(event)) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    label.classList.toggle('over', over);
  };
  target.addEventListener('dragenter', (event) => mark(event, true));
  target.addEventListener('dragover', (event) => mark(event, true));
  target.addEventListener('dragleave', (event) => {
    if (!target.contains(event.relatedTarget as Node | null)) mark(event, false);
  });
  target.addEventListener('drop', (event) => {
    mark(event, false);
    if (!carriesFiles(event)) return;
    void droppedFiles(event.dataTransfer!).then((files) => {
      if (files.length > 0) onFiles(files);
    });
  });
}
