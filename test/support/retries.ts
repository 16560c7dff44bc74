// In CI a test that keeps real time with other people's programs gets a second attempt, alone: a machine that stops for a second
// fails it. Each retry is printed when it happens, and all of them at the end.
import type { Reporter, TestCase } from 'vitest/node';

class RetryReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const retries = test.diagnostic()?.retryCount ?? 0;
    if (retries === 0) return;
    const name = `${test.module.relativeModuleId}: ${test.fullName}`;
    this.#retried.push(name);
    console.log(`RETRIED, then ${test.result().state}: ${name}`);
    for (const { message } of test.result().errors ?? []) console.log(`  ${message.split('\n')[0]}`);
  }

  onTestRunEnd(): void {
    console.log(
      `retried: ${this.#retried.length} tests${this.#retried.map((name) => `\n  ${name}`).join('')}`,
    );
  }
}

/** For the `test` of a vitest config. */
export function singleRetries(): { retry?: number; reporters?: [string, Reporter] } {
  return process.env['CI'] ? { retry: 1, reporters: ['default', new RetryReporter()] } : {};
}
