import { byId, element } from '../shared/dom.js';
import { counted } from '../shared/numbers.js';
import { SingleTask } from '../shared/single_task.js';
import { Grid } from './grid.js';
import type { Duplicates, Group, Library, Shown } from './library/protocol.js';

/** Finds similar pictures, and shows them in groups. */
export class DuplicatesPanel {
  private readonly button = byId('find-duplicates', HTMLButtonElement);
  private readonly close = byId('close-duplicates', HTMLButtonElement);
  private readonly threshold = byId('threshold', HTMLInputElement);
  private readonly told = byId('duplicates-told', HTMLElement);
  private readonly section = byId('duplicates', HTMLElement);
  private readonly groups = byId('groups', HTMLElement);
  private readonly task = new SingleTask(byId('duplicates-problem', HTMLElement), () => this.showState());
  private grids: Grid[] = [];
  private hasPictures = false;

  constructor(
    private readonly library: Library,
    private readonly onPick: (picture: Shown) => void,
  ) {
    this.button.onclick = () => this.find();
    this.close.onclick = () => {
      this.hide();
      this.button.focus();
    };
    this.threshold.oninput = () => this.showThreshold();
    this.threshold.onchange = () => {
      if (!this.section.hidden) this.find();
    };
    this.showThreshold();
  }

  /** Groups are those of one model and of the pictures at that time. */
  hide(): void {
    this.task.stop();
    this.clear();
    this.section.hidden = true;
    this.told.textContent = '';
  }

  allow(hasPictures: boolean): void {
    this.hasPictures = hasPictures;
    this.showState();
  }

  private find(): void {
    this.told.textContent = 'Comparing all pictures …';
    void this.task.run('The pictures could not be compared', async (signal) => {
      const { groups, count, pictures } = await this.compared();
      signal.throwIfAborted();
      this.clear();
      this.section.hidden = count === 0;
      this.told.textContent =
        count === 0 ? 'No pictures are this similar.' : `${counted(count, 'group')}, ${counted(pictures, 'picture')}.`;
      this.section.scrollIntoView({ block: 'nearest' });
      for (const group of groups) {
        this.groups.append(this.sectionOf(group));
        // The page stays free.
        await new Promise((resolve) => setTimeout(resolve));
        signal.throwIfAborted();
      }
    });
  }

  private async compared(): Promise<Duplicates> {
    try {
      return await this.library.duplicates(this.minScore);
    } finally {
      this.told.textContent = '';
    }
  }

  private get minScore(): number {
    return Number(this.threshold.value) / 100;
  }

  private showThreshold(): void {
    byId('threshold-shown', HTMLElement).textContent = this.minScore.toFixed(2);
  }

  private showState(): void {
    this.button.disabled = !this.hasPictures || this.task.isRunning;
  }

  private clear(): void {
    for (const grid of this.grids) grid.show([]);
    this.grids = [];
    this.groups.replaceChildren();
  }

  private sectionOf({ pictures, size, score }: Group): HTMLElement {
    const shown = size === pictures.length ? '' : `, of which ${pictures.length} are shown`;
    const title = `${counted(size, 'picture')}${shown}, similarity from ${score.toFixed(3)}`;
    const list = element('ol', { className: 'photos', ariaLabel: title });
    const grid = new Grid(list, this.onPick);
    grid.show(pictures);
    this.grids.push(grid);
    return element('div', { className: 'group stack' }, element('h3', {}, title), list);
  }
}
