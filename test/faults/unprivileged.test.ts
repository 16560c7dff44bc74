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
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { call, type Service, startService } from '../support/service.ts';
import { straceMissing } from './support/needs.ts';
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
/** The exposure; ten is the worst. */
const MAX_EXPOSURE = 3;
/** By root alone, which this test may be and the unit's user is not: SQLite gives its files the owner of the database. */
const OF_ROOT: ReadonlySet<string> = new Set(['fchown']);
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
      await waitUntil('sound', () => talk.heard().length > 0, 60_000);
      await talk.hangUp();
    } finally {
      phone.close();
    }
    const { url } = service;
    const recorded = async () => (await call(url, 'GET', '/v1/call/records')).json.data.length === 1;
    await waitUntil('the record', recorded, 60_000);
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

/** The system calls of a set of systemd, sets within it included. */
function callsOf(set: string): string[] {
  const printed = execFileSync('systemd-analyze', ['--no-pager', 'syscall-filter', set], {
    encoding: 'utf8',
  });
  const names = printed
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

// There is no systemd here that could start the unit: what the service does is compared with what the unit's filter lets through.
const databases = postgresMissing() ? (['alone'] as const) : (['alone', 'as one of several nodes'] as const);
it.skipIf(!hasSystemd || straceMissing()).each(databases)(
  'T34, %s: start, a call with sound by system calls and the end need no system call that the unit forbids',
  async (how) => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
    const postgres = how === 'alone' ? null : await startPostgres();
    const cluster = postgres && {
      DATABASE_URL: await postgres.newDatabase(),
      SECRET_KEY: 'aa'.repeat(32),
      NODE_ID: 'node-1',
      NODE_URL: 'http://127.0.0.1:8080',
      SIP_EDGES: '127.0.0.5',
      SOUND_STORE: folder,
    };
    const file = join(folder, 'calls');
    // -D: the service is the child of this process, which signals go to. Calls that no service can be without are not stopped at.
    const hot =
      'futex,epoll_wait,epoll_pwait,epoll_ctl,read,write,readv,writev,recvfrom,sendto,recvmsg,sendmsg';
    const under = [
      'strace',
      '-D',
      '-f',
      '--seccomp-bpf',
      '-qq',
      '-e',
      'signal=none',
      '-e',
      `trace=!${hot}`,
      '-o',
      file,
    ];
    service = await startService({
      env: { SIP: 'on', SIP_PORT: '0', DEMO: 'on', MEDIA_SOCKETS: 'syscalls', ...cluster },
      under,
    });
    const phone = await Phone.open({ user: '5550001', server: sipAddress(service) });
    try {
      const talk = await (await phone.call('100')).answered();
      await waitUntil('sound', () => talk.heard().length > 0, 60_000);
      await talk.hangUp();
    } finally {
      phone.close();
    }
    const { url } = service;
    const recorded = async () => (await call(url, 'GET', '/v1/call/records')).json.data.length === 1;
    await waitUntil('the record', recorded, 60_000);
    expect(await service.stop()).toBe(0);
    await postgres?.remove();
    const used = new Set<string>();
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^\d+ +(\w+)\(/gm)) used.add(name);
    const unit = readFileSync(join(root, 'examples/dialtree.service'), 'utf8');
    const filters = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)];
    const allowed = new Set<string>();
    for (const [, not, sets = ''] of filters)
      for (const name of sets.split(' ').flatMap((set) => (set.startsWith('@') ? callsOf(set) : [set])))
        if (not) allowed.delete(name);
        else allowed.add(name);
    expect(used.size).toBeGreaterThan(40);
    const forbidden = [...used].filter((name) => !allowed.has(name) && !OF_ROOT.has(name));
    figure(
      'T34',
      `${how}: ${used.size} system calls used, forbidden by the unit: ${forbidden.join(', ') || 'none'}`,
    );
    expect(forbidden).toEqual([]);
  },
);
