/** Lets other work run during long loops. */
export class Pauses {
  private last = performance.now();

  /** `milliseconds`: how long the page or worker may be busy before it does something else. */
  constructor(private readonly milliseconds: number) {}

  get isDue(): boolean {
    return performance.now() - this.last > this.milliseconds;
  }

  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.last = performance.now();
  }
}
