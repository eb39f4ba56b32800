import { byId, enableButtons } from '../shared/dom.js';

/** The question: typed, chosen from the examples, or the `q` in the page's address. */
export class QuestionBox {
  private readonly input = byId('query', HTMLInputElement);
  private readonly examples = byId('examples', HTMLElement);

  constructor(
    private readonly onQuestion: (question: string) => void,
    onDown: () => void,
  ) {
    // Text that was typed before this script arrived stays.
    this.input.value ||= new URLSearchParams(location.search).get('q') ?? '';
    this.input.addEventListener('input', () => this.changed());
    byId('form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      onDown();
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      onDown();
    });
    this.examples.addEventListener('click', ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.input.value = target.textContent!;
      this.focus();
      this.changed();
    });
    enableButtons(this.examples);
    document.addEventListener('keydown', (event) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.focus();
    });
  }

  get question(): string {
    return this.input.value.trim();
  }

  focus(): void {
    this.input.focus();
  }

  /** The examples are questions about the bundled texts. */
  showExamples(shown: boolean): void {
    this.examples.hidden = !shown;
  }

  private changed(): void {
    const address = new URL(location.href);
    if (this.question) address.searchParams.set('q', this.question);
    else address.searchParams.delete('q');
    history.replaceState(null, '', address);
    this.onQuestion(this.question);
  }
}
