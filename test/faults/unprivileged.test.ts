// T34: the service needs no privilege: any user, no capability, a program folder that it cannot write to.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { figure } from '../support/figure.ts';
import { sipAddress } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { call, type Service, startService } from '../support/service.ts';
import { waitUntil } from './support/rounds.ts';

const NOBODY = 65_534;
const UNPRIVILEGED = [
  'setpriv',
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--bounding-set=-all',
  '--inh-caps=-all',
  '--no-new-privs',
];
/** Of ten, which is the worst. */
const MAX_EXPOSURE = 3;
const root = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

let folder = '';
let service: Service | undefined;
afterEach(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

function statusOf(pid: number | undefined, name: string): string {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim() ?? '';
}

it.skipIf(!isRoot)(
  'T34: runs as nobody without capabilities, and its caller hears the demonstration',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    for (const path of [folder, dataDir]) chownSync(path, NOBODY, NOBODY);
    const [program = '', ...words] = UNPRIVILEGED;
    for (const path of ['.', 'dist', 'dist/dialtree.js', 'node_modules'])
      expect(spawnSync(program, [...words, 'test', '-w', join(root, path)]).status, path).toBe(1);
    const env = { SIP: 'on', SIP_PORT: '0', DEMO: 'on', HOME: folder };
    service = await startService({ env, dataDir, under: UNPRIVILEGED });
    const { pid } = service.process;
    expect(statusOf(pid, 'Uid')).toBe(Array(4).fill(NOBODY).join('\t'));
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(statusOf(pid, set)).toMatch(/^0+$/);
    const phone = await Phone.open({ user: '5550001', server: sipAddress(service) });
    try {
      const talk = await (await phone.call('100')).answered();
      await waitUntil('sound', () => talk.heard().length > 0, 5000);
      await talk.hangUp();
    } finally {
      phone.close();
    }
    const { url } = service;
    const recorded = async () => (await call(url, 'GET', '/v1/call/records')).json.data.length === 1;
    await waitUntil('the record', recorded, 5000);
    expect(await service.stop()).toBe(0);
    figure(
      'T34',
      'runs as nobody, no capability, program folder not writable: a call was answered and recorded',
    );
  },
);

it.skipIf(!hasSystemd)(`T34: the systemd unit's exposure is at most ${MAX_EXPOSURE} of 10`, () => {
  const unit = join(root, 'examples/dialtree.service');
  const words = ['security', '--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE * 10}`, unit];
  const printed = execFileSync('systemd-analyze', words, { encoding: 'utf8' });
  figure(
    'T34',
    printed
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/[^\x20-\x7e]/g, '')
      .trim() ?? '',
  );
});
