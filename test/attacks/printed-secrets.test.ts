// T46: what a start prints ends up in log collectors, unless it is read on a terminal.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { figure } from '../support/figure.ts';
import { call, runProcess, startService } from '../support/service.ts';

const SECRET = /dialtree_[\w-]{43}/g;
const env = { ACCESS_TOKEN: '', DEMO: 'on', SIP: 'on', SIP_PORT: '0', RATE_LIMIT: '0' };

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

it('T46: starts whose output is collected print no token, link or password, and name what has them', async () => {
  const dataDir = newFolder();
  const first = await startService({ dataDir, env });
  await first.stop();
  const second = await startService({ dataDir, env });
  try {
    const printed = [first, second].map(({ said, log }) => [...said, ...log].join('\n'));
    expect(printed.flatMap((text) => text.match(SECRET) ?? [])).toEqual([]);
    // As they were printed: two spaces, an agent's number, two spaces, its password.
    expect(printed.join('\n')).not.toMatch(/^ {2}100[1-3] {2}\S+$/m);
    expect(printed[0]).toContain(join(dataDir, 'access-token'));
    expect(printed[0]).toContain('dialtree.js agent password');
    for (const text of printed) expect(text).toContain('dialtree.js sign-in');

    const { out } = await runProcess(['sign-in', '--url', second.url], { dataDir });
    const [link] = out.match(SECRET) ?? [];
    const signedIn = await call(second.url, 'POST', '/v1/session', { token: null, body: { link } });
    expect(signedIn.status).toBe(201);
    figure('T46', `0 secrets in ${printed.join('').length} printed bytes of two starts`);
  } finally {
    await second.stop();
  }
});

/** util-linux: runs a command with a terminal of its own. */
describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
  it('T46: the first start prints the token, the passwords and a link that signs in once', async () => {
    const dataDir = newFolder();
    const command = `exec ${process.execPath} dist/dialtree.js serve`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: dataDir, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      let text = '';
      child.stdout.on('data', (bytes) => {
        text += String(bytes);
      });
      await expect.poll(() => text).toContain('"msg":"listening"');
      const token = readFileSync(join(dataDir, 'access-token'), 'utf8').trim();
      const [, url = '', link] = /Console: (http:\S+?)\/#\/sign-in\/(\S+)/.exec(text) ?? [];
      expect(text).toContain(token);
      expect(text).toMatch(/^ {2}1001 {2}\S+\r?$/m);
      const signIn = () => call(url, 'POST', '/v1/session', { token: null, body: { link } });
      expect([(await signIn()).status, (await signIn()).status]).toEqual([201, 401]);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
});
