// CI gives single tests of some suites a second attempt (test/support/retries.ts): none of them is silent.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(environment: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-retries-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `import { singleRetries } from ${JSON.stringify(join(root, 'test/support/retries.ts'))};
       export default { test: { include: ['*.test.ts'], ...singleRetries() } };`,
    );
    writeFileSync(
      join(folder, 'some.test.ts'),
      `import { expect, it } from 'vitest';
       let attempts = 0;
       it('passes at once', () => {});
       it('passes at the second attempt', () => expect(++attempts).toBe(2));`,
    );
    const { PATH = '' } = process.env;
    const program = join(root, 'node_modules/vitest/vitest.mjs');
    const child = spawnSync(process.execPath, [program, 'run'], {
      cwd: folder,
      env: { PATH, ...environment },
      encoding: 'utf8',
    });
    return { status: child.status, output: child.stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('CI retries a single test once, prints it, and names all of them at the end', () => {
  const { status, output } = run({ CI: 'true' });
  expect(output).toContain(
    'RETRIED, then passed: some.test.ts: passes at the second attempt\n  expected 1 to be 2',
  );
  expect(output).toContain('retried: 1 tests\n  some.test.ts: passes at the second attempt\n');
  expect(status).toBe(0);
});

it('a developer’s run retries nothing', () => {
  const { status, output } = run({});
  expect(output).not.toContain('retried');
  expect(status).toBe(1);
});
