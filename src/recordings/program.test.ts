// Programs that are run for strangers (T83): here, small scripts that do what a program must not do for long.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isInstalled, type ProgramRun, runProgram } from './program.ts';

describe.skipIf(process.platform === 'win32')('a program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-program-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] };
  let scripts = 0;
  const script = (text: string): string => {
    const path = join(folder, `script-${scripts++}`);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const run = async (program: string, more: Partial<ProgramRun> = {}) => {
    const output = join(folder, `output-${scripts++}`);
    const bounds = { maxBytes: 1_000, timeoutMs: 20_000 };
    const ended = await runProgram({
      program,
      args: [],
      env,
      input: { text: '' },
      output,
      ...bounds,
      ...more,
    });
    return { ended, output, written: readFileSync(output, 'utf8') };
  };

  it('gets its arguments as they are, never through a shell, and no other environment', async () => {
    const args = ['$(touch /tmp/never); `x`', '> y', '*'];
    const printed = await run(script('for each; do echo "$each"; done; env'), { args });
    expect(printed.ended).toEqual({ end: 'exit', code: 0, errors: '' });
    expect(printed.written.split('\n').slice(0, 3)).toEqual(args);
    // What a shell sets for itself.
    const names = printed.written
      .split('\n')
      .slice(3)
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => !['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', ''].includes(name ?? ''))).toEqual(
      [],
    );
  });

  it('reads a text or a file on its standard input, and its output is for its owner alone', async () => {
    expect((await run('cat', { input: { text: 'a text' } })).written).toBe('a text');
    const path = join(folder, 'input');
    writeFileSync(path, 'a file');
    const read = await run('cat', { input: { path } });
    expect(read.written).toBe('a file');
    expect(statSync(read.output).mode & 0o077).toBe(0);
  });

  it('that writes more than it may is ended, and no more is kept', async () => {
    const { ended, written } = await run('cat', { input: { path: '/dev/zero' }, maxBytes: 300_000 });
    expect(ended).toEqual({ end: 'too_long' });
    expect(written.length).toBeLessThanOrEqual(300_000);
  });

  it('that does not end is ended with what it has started', async () => {
    const pid = join(folder, 'pid');
    // What it starts keeps the output open, and would outlive it.
    const slow = script(`sleep 600 & echo $! > ${pid}; wait`);
    expect((await run(slow, { timeoutMs: 1_000 })).ended).toEqual({ end: 'late' });
    const started = Number(readFileSync(pid, 'utf8'));
    expect(started).toBeGreaterThan(0);
    await expect.poll(() => isAlive(started)).toBe(false);
  });

  it('whose output somebody else holds open is late, and not waited for', async () => {
    const leaver = script('setsid sleep 30 & exit 0');
    expect((await run(leaver, { timeoutMs: 500 })).ended).toEqual({ end: 'late' });
  });

  it('is ended when the service ends', async () => {
    const closing = new AbortController();
    const ended = run('sleep', { args: ['600'], signal: closing.signal });
    closing.abort();
    expect((await ended).ended).toEqual({ end: 'stopped' });
  });

  it('says how it ended, and the first 1,000 of what it wrote about it', async () => {
    const { ended } = await run(script('head -c 100000 /dev/zero | tr "\\0" x >&2; exit 3'));
    expect(ended).toEqual({ end: 'exit', code: 3, errors: 'x'.repeat(1_000) });
  });

  it('that is not there is absent', async () => {
    expect((await run(join(folder, 'nothing'))).ended).toEqual({ end: 'absent' });
  });

  it('is installed where it is found and may be run', () => {
    const path = script('exit 0');
    expect(isInstalled(path, {})).toBe(true);
    expect(isInstalled('cat', env)).toBe(true);
    expect(isInstalled('cat', { PATH: folder })).toBe(false);
    expect(isInstalled(folder, {})).toBe(false);
    chmodSync(path, 0o600);
    expect(isInstalled(path, {})).toBe(false);
  });
});

/** A killed one that nobody has waited for yet is a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
