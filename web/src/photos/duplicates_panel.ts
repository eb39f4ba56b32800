import { byId, element } from '../shared/dom.js';
import { counted } from '../shared/numbers.js';
import { SingleTask } from '../shared/single_task.js';
import { Grid } from './grid.js';
import type { Group, Library, Shown } from './library/protocol.js';

/** More groups would not be looked at. */
const maxGroups = 100;

/** Finds pictures that are alike, and shows them in groups. */
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
    this.show([]);
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
      const groups = await this.library.duplicates(this.minScore);
      signal.throwIfAborted();
      this.section.hidden = false;
      this.show(groups);
      this.section.scrollIntoView({ block: 'nearest' });
      const pictures = groups.reduce((sum, group) => sum + group.pictures.length, 0);
      this.told.textContent =
        groups.length === 0
          ? 'No pictures are this similar.'
          : `${counted(groups.length, 'group')}, ${counted(pictures, 'picture')}.`;
    });
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

  private show(groups: readonly Group[]): void {
    for (const grid of this.grids) grid.show([]);
    this.grids = [];
    this.groups.replaceChildren(...groups.slice(0, maxGroups).map((group) => this.sectionOf(group)));
  }

  private sectionOf({ pictures, score }: Group): HTMLElement {
    const title = `${counted(pictures.length, 'picture')}, similarity from ${score.toFixed(3)}`;
    const list = element('ol', { className: 'photos', ariaLabel: title });
    const grid = new Grid(list, this.onPick);
    grid.show(pictures);
    this.grids.push(grid);
    return element('div', { className: 'group stack' }, element('h3', {}, title), list);
  }
}
