// A value for each slot of an index. Most slots may have none, so blocks exist only where there is one.

const blockSlots = 256;

export class Column<T> {
  private readonly blocks: ((T | undefined)[] | undefined)[] = [];

  get(slot: number): T | undefined {
    return this.blocks[Math.floor(slot / blockSlots)]?.[slot % blockSlots];
  }

  set(slot: number, value: T | undefined): void {
    const block = Math.floor(slot / blockSlots);
    if (value === undefined && !this.blocks[block]) return;
    (this.blocks[block] ??= new Array<T | undefined>(blockSlots).fill(undefined))[slot % blockSlots] = value;
  }
}
