/** Sums what the runners report and prints a line for each of them. */
export class Tally {
  passed = 0;
  failed = 0;
  /** Lines: the title of each runner that failed, and the names of its tests. */
  failures = [];

  /** `details` is printed where something failed. A runner that ran nothing has failed. */
  add(title, { passed, failed, skipped = 0 }, details = '', failedTests = []) {
    const failures = passed + failed === 0 ? 1 : failed;
    this.passed += passed;
    this.failed += failures;
    const notes = skipped > 0 ? `, ${skipped} skipped` : '';
    console.log(`${failures ? 'FAIL' : 'ok  '} ${title}: ${passed} passed, ${failures} failed${notes}`);
    if (!failures) return;
    if (details) console.log(details);
    this.failures.push(`FAIL ${title}`, ...failedTests.map((test) => `     ${test}`));
  }

  /** Runs a step that only counts where it fails: a build, or a suite that cannot even start. */
  async step(title, run) {
    try {
      await run();
    } catch (error) {
      this.add(title, { passed: 0, failed: 1 }, error.message);
    }
  }

  /** The tests that failed come once more, where the output of a long run ends. */
  print() {
    for (const line of this.failures) console.log(line);
    console.log(`${this.passed} passed, ${this.failed} failed`);
  }
}
