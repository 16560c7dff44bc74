// R25: what a killed process left is recovered at the next start while one system call on its files fails. Every call is tried: after
// that start and one more without a fault, each message is there with its sound, and the interrupted call has its record.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figure } from '../support/figure.ts';
import { call, type Json, startService, TOKEN } from '../support/service.ts';
import { straceMissing } from './support/needs.ts';
import { waitUntil } from './support/rounds.ts';

const HEADER_BYTES = 58;
/** No process has it: beyond the largest pid of the kernel. */
const DEAD_PID = 4_194_999;
const JOURNAL = `running-calls-${DEAD_PID}.jsonl`;
/** Two channels for the recorded call, one for the messages. */
const LEFT = [
  { id: 'message-begun', kind: 'voicemail', file: 'message-begun.part', channels: 1 },
  { id: 'message-whole', kind: 'voicemail', file: 'message-whole.wav', channels: 1 },
  { id: 'talk-begun', kind: 'call', file: 'talk-begun.part', channels: 2 },
] as const;
/** All that recovery does to files. The C library's `read` is pread64 or read, `stat` is statx or newfstatat. */
const CALLS =
  'openat,statx,newfstatat,fstat,getdents64,read,pread64,pwrite64,write,writev,pwritev,ftruncate,fsync,fdatasync,rename,unlink,close';
const MANY_AT_ONCE = 3;
/** A sixth of the calls, another one each day; all of them in the long run. */
const PARTS = process.env['FAULT_ROUNDS'] === undefined ? 6 : 1;
const PART = Math.floor(Date.now() / 86_400_000) % PARTS;
const ENV = { SIP: 'on', SIP_PORT: '0', UV_THREADPOOL_SIZE: '1', RTP_PORTS: '30000-30999' };

const soundOf = (id: string): Buffer =>
  Buffer.from(Array.from({ length: 16_000 }, (_, at) => (at * 7 + id.length) % 256));

function note(id: string, kind: string, channels: number, box: string): string {
  const facts = {
    id: `call-of-${id}`,
    accountId: 'default',
    callId: `${id}@phone`,
    direction: 'inbound',
    caller: '030',
    callerName: '',
    dialled: '200',
    entry: `voicemail||${box}`,
    startedAtMs: Date.now() - 60_000,
  };
  const maker = { host: hostname(), pid: DEAD_PID };
  return JSON.stringify({
    ...{ id, kind, call: facts, box: kind === 'voicemail' ? box : null, eid: null },
    ...{ startedAtMs: Date.now() - 60_000, channels, maker },
  });
}

/** What a process leaves that is killed while two messages and a call are recorded. */
async function leaveUnfinished(dataDir: string): Promise<void> {
  const service = await startService({ dataDir, env: ENV });
  const box = (await call(service.url, 'POST', '/v1/voicemail_box', { body: { name: 'Sales' } })).json.id;
  await service.stop();
  const folder = join(dataDir, 'captures', 'default');
  mkdirSync(folder, { recursive: true });
  for (const { id, kind, file, channels } of LEFT) {
    writeFileSync(join(folder, `${id}.json`), note(id, kind, channels, box));
    writeFileSync(join(folder, file), Buffer.concat([Buffer.alloc(HEADER_BYTES), soundOf(id)]));
  }
  const running = JSON.parse(note('running', 'call', 1, box)) as { call: object };
  writeFileSync(join(dataDir, JOURNAL), `${JSON.stringify(running.call)}\n`);
}

/** The files of the recovery, as strace is told them: it compares whole paths. */
function filesIn(dataDir: string): string[] {
  const folder = join(dataDir, 'captures', 'default');
  const files = LEFT.flatMap(({ id }) =>
    ['json', 'part', 'wav'].map((ending) => join(folder, `${id}.${ending}`)),
  );
  return [dataDir, join(dataDir, 'captures'), folder, join(dataDir, JOURNAL), ...files];
}

const under = (dataDir: string, words: readonly string[]): string[] => [
  ...['strace', '-f', '-qq', '--seccomp-bpf', '-e', 'signal=none', '-e', `trace=${CALLS}`],
  ...filesIn(dataDir).flatMap((file) => ['-P', file]),
  ...words,
];

async function found(url: string): Promise<{ sounds: string[]; interrupted: number }> {
  const sounds: string[] = [];
  for (const path of ['/v1/voicemails', '/v1/call/recordings'])
    for (const { id, audio } of (await call(url, 'GET', path)).json?.data ?? []) {
      const answer = await fetch(url + audio, { headers: { authorization: `Bearer ${TOKEN}` } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isEqual = answer.status === 200 && bytes.subarray(HEADER_BYTES).equals(soundOf(id));
      sounds.push(isEqual ? id : `${id}: another sound, status ${answer.status}`);
    }
  const records = (await call(url, 'GET', '/v1/call/records?end_code=interrupted')).json?.data ?? [];
  return {
    sounds: sounds.sort(),
    interrupted: records.filter(({ id }: Json) => id === 'call-of-running').length,
  };
}

const WHOLE = { sounds: LEFT.map(({ id }) => id).sort(), interrupted: 1 };
const isWhole = async (url: string): Promise<boolean> =>
  JSON.stringify(await found(url)) === JSON.stringify(WHOLE);

describe.skipIf(straceMissing())('recovery after kill -9', () => {
  let template = '';
  beforeAll(async () => {
    template = mkdtempSync(join(tmpdir(), 'dialtree-left-'));
    await leaveUnfinished(template);
  });
  afterAll(() => rmSync(template, { recursive: true, force: true }));

  async function inCopy<T>(use: (dataDir: string) => Promise<T>): Promise<T> {
    const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-recovery-'));
    try {
      cpSync(template, dataDir, { recursive: true });
      return await use(dataDir);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }

  /** How often each system call touches these files in a start without a fault. */
  const countCalls = (): Promise<Map<string, number>> =>
    inCopy(async (dataDir) => {
      const trace = join(tmpdir(), `dialtree-trace-${process.pid}`);
      const service = await startService({ dataDir, env: ENV, under: under(dataDir, ['-o', trace]) });
      await waitUntil('recovered', () => isWhole(service.url), 60_000);
      await service.stop('SIGKILL');
      // strace counts each thread for itself: the n-th call of every thread fails.
      const threads = new Map<string, Map<string, number>>();
      for (const [, thread = '', name = ''] of readFileSync(trace, 'utf8').matchAll(/^(\d+) +(\w+)\(/gm)) {
        const counts = threads.get(thread) ?? new Map<string, number>();
        threads.set(thread, counts.set(name, (counts.get(name) ?? 0) + 1));
      }
      rmSync(trace, { force: true });
      const most = new Map<string, number>();
      for (const counts of threads.values())
        for (const [name, times] of counts) most.set(name, Math.max(times, most.get(name) ?? 0));
      return most;
    });

  /** One start with the fault, killed, and one without. What is missing then. */
  const withFault = (fault: string): Promise<string | null> =>
    inCopy(async (dataDir) => {
      const words = ['-o', '/dev/null', '-e', `inject=${fault}`];
      const faulty = await startService({ dataDir, env: ENV, under: under(dataDir, words) }).catch(
        () => null,
      );
      if (faulty) {
        const noted = (): boolean => faulty.log.some((line) => /"level":[45]0/.test(line));
        const isOver = async (): Promise<boolean> => noted() || isWhole(faulty.url);
        await waitUntil('recovered or logged', isOver, 2_000).catch(() => undefined);
        await faulty.stop('SIGKILL');
      }
      const clean = await startService({ dataDir, env: ENV });
      try {
        await waitUntil('recovered', () => isWhole(clean.url), 60_000, 100);
        return null;
      } catch {
        return `${fault}: ${JSON.stringify(await found(clean.url))}`;
      } finally {
        await clean.stop('SIGKILL');
      }
    });

  it('R25: no message, recording or record is lost when any one system call of the recovery fails', async () => {
    const counts = await countCalls();
    const faults = [...counts].flatMap(([name, times]) =>
      Array.from({ length: times }, (_, at) => {
        const error = name === 'openat' ? 'EMFILE' : name === 'unlink' ? 'EACCES' : 'EIO';
        return `${name}:error=${error}:when=${at + 1}`;
      }),
    );
    const tried = faults.filter((_, at) => at % PARTS === PART);
    const lost: string[] = [];
    const next = tried[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: MANY_AT_ONCE }, async () => {
        for (const fault of next) {
          const missing = await withFault(fault);
          if (missing) lost.push(missing);
        }
      }),
    );
    figure(
      'R25',
      `${tried.length} of ${faults.length} system calls failed once each: ${lost.length} lost a recording or a record`,
    );
    expect(tried.length).toBeGreaterThan(0);
    expect(lost).toEqual([]);
  });
});
