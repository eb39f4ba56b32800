/**
 * Answers questions one at a time, and only the newest that waits: one that has been overtaken is never begun, and the answer of one
 * that is overtaken meanwhile is dropped.
 */
export class Latest<Question> {
  private waiting: { question: Question } | undefined;
  private running = false;

  /** `deliver` gets the answer unless there is a newer question; what `answer` throws goes to `failed`. */
  constructor(
    private readonly answer: (question: Question) => Promise<() => void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  ask(question: Question): void {
    this.waiting = { question };
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let next; (next = this.waiting); ) {
      this.waiting = undefined;
      try {
        const deliver = await this.answer(next.question);
        if (!this.waiting) deliver();
      } catch (error) {
        this.failed(error);
      }
    }
    this.running = false;
  }
}
