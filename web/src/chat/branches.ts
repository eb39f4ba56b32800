// The branches of a conversation: which one is shown, and which one was deleted last.

import type { Chat } from 'quintet';

import { byId, element } from '../shared/dom.js';

interface Branch {
  number: number;
  chat: Chat;
}

export class Branches {
  private readonly bar = byId('branching', HTMLElement);
  private readonly chips = byId('branches', HTMLElement);
  private readonly remove = byId('delete-branch', HTMLButtonElement);
  private readonly undo = byId('undelete-branch', HTMLButtonElement);
  private all: Branch[] = [];
  private shown: Branch | undefined;
  /** It can be restored until another one is deleted. */
  private deleted: { branch: Branch; place: number } | undefined;

  constructor(
    private readonly onShow: (chat: Chat) => void,
    private readonly say: (text: string) => void,
  ) {
    this.remove.onclick = () => this.deleteShown();
    this.undo.onclick = () => this.restore();
  }

  /** In place of all branches. */
  startOver(chat: Chat): void {
    for (const each of this.all) each.chat.close();
    this.forgetDeleted();
    this.all = [];
    this.add(chat);
  }

  /** Shows one more, and returns its number. */
  add(chat: Chat): number {
    const number = Math.max(0, this.deleted?.branch.number ?? 0, ...this.all.map((each) => each.number)) + 1;
    const branch = { number, chat };
    this.all.push(branch);
    this.show(branch);
    return number;
  }

  /** A chat takes the place of another one. */
  replace(old: Chat, chat: Chat): void {
    const branch = this.all.find((each) => each.chat === old)!;
    branch.chat = chat;
    old.close();
    if (branch === this.shown) this.show(branch);
  }

  private show(branch: Branch): void {
    this.shown = branch;
    const hadFocus = this.chips.contains(document.activeElement);
    const hasSeveral = this.all.length > 1;
    this.bar.hidden = !hasSeveral && !this.deleted;
    this.chips.hidden = this.remove.hidden = !hasSeveral;
    this.undo.hidden = !this.deleted;
    this.remove.textContent = `Delete branch ${branch.number}`;
    if (this.deleted) this.undo.textContent = `Undo: bring back branch ${this.deleted.branch.number}`;
    const chips = this.all.map((each) => {
      const chip = element(
        'button',
        { type: 'button', className: 'chip', ariaPressed: String(each === branch) },
        `Branch ${each.number}`,
      );
      chip.onclick = () => this.show(each);
      return chip;
    });
    this.chips.replaceChildren(...chips);
    this.onShow(branch.chat);
    if (hadFocus) chips[this.all.indexOf(branch)]!.focus();
  }

  private deleteShown(): void {
    const branch = this.shown!;
    const place = this.all.indexOf(branch);
    this.forgetDeleted();
    this.deleted = { branch, place };
    this.all.splice(place, 1);
    this.show(this.all[Math.min(place, this.all.length - 1)]!);
    this.say(`Branch ${branch.number} is deleted.`);
    this.undo.focus();
  }

  private restore(): void {
    const { branch, place } = this.deleted!;
    this.deleted = undefined;
    this.all.splice(place, 0, branch);
    this.show(branch);
    this.say(`Branch ${branch.number} is back.`);
    this.remove.focus();
  }

  private forgetDeleted(): void {
    this.deleted?.branch.chat.close();
    this.deleted = undefined;
  }
}
