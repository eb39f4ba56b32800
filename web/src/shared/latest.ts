/**
 * Answers questions one at a time, and of those that wait only the newest. If a newer question arrives before the
 * answer, the answer is dropped.
 */
export class Latest<Question> {
  private waiting: { question: Question } | undefined;
  private running = false;

  /**
   * `answer` returns a function that shows the answer: it is called unless there is a newer question. Errors go to
   * `failed`.
   */
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
