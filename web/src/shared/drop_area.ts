/**
 * Makes a `<label class="drop">` with its `<input type="file">` take files: chosen, or dropped anywhere on `target`. Which of them
 * are fit is for `onFiles` to say.
 */
export function dropArea(label: HTMLLabelElement, onFiles: (files: File[]) => void, target: HTMLElement = label): void {
  const input = label.querySelector<HTMLInputElement>('input[type=file]')!;
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    // So that choosing the same file again is a change as well.
    input.value = '';
    if (files.length > 0) onFiles(files);
  });
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const mark = (event: DragEvent, over: boolean) => {
    if (!carriesFiles(event)) return;
    // Else the browser would leave the page for the file.
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
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
}
