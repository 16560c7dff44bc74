// One token against everybody else (T37): 250 connections that never read, asking for large pages, looping tests and the lint of an
// account with large menus, and more that read and ask again. Other accounts and the audio of calls must not notice.
import { type ChildProcess, spawn } from 'node:child_process';
import { request } from 'node:http';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hangUpAll,
  heardByAll,
  type Listener,
  listeners,
  nowOf,
  Stalls,
  TONE_SERVICE,
} from '../hostile/support/audio.ts';
import { residentBytes } from '../hostile/support/metrics.ts';
import { figure } from '../support/figure.ts';
import { menu } from '../support/payload.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { call, runProcess, TOKEN } from '../support/service.ts';
import type { GreedyAnswer, GreedyQuestion } from './support/greedy-process.ts';

const CALLS = 10;
const UNREAD = 250;
const LARGE_MENUS = 40;
const SECONDS = 15;
const MEGABYTE = 1024 * 1024;
const PROBE_MS = 20;
/** Requests of another account that must be answered while the greedy one's are open. */
const PROBES = 50;

describe('one token', () => {
  let pbx: Pbx;
  let token: string;
  let looping: string;
  let callers: Listener[];
  let stalls: Stalls;
  /** A server that does nothing else: what this machine adds to every response. */
  let idle: { readonly url: string; readonly process: ChildProcess };

  beforeAll(async () => {
    pbx = await startPbx(TONE_SERVICE);
    const made = await runProcess(['account', 'create', 'greedy'], { env: { DATA_DIR: pbx.dataDir } });
    token = made.out.trim();
    const heard = Array.from({ length: 1_000 }, (_, index) => `recording||number-${index}`);
    const tests = Array.from({ length: 9 }, (_, index) => ({
      name: `${index}`,
      script: '1',
      expect: { heard },
    }));
    const large = menu({ tests });
    for (let count = 0; count < LARGE_MENUS; count++) {
      const { status, text } = await call(pbx.url, 'POST', '/v1/ivr?skip_tests=true', { token, body: large });
      if (status !== 201) throw new Error(text);
    }
    looping = await loopingMenu();
    stalls = new Stalls();
    idle = await idleServer();
    callers = await listeners(pbx, CALLS);
  });
  afterAll(async () => {
    stalls?.close();
    idle?.process.kill();
    if (callers !== undefined) await hangUpAll(callers);
    await pbx?.remove();
  });

  /** Key 1 leads back to it; each of its twenty tests presses that key until the simulation is cut. */
  async function loopingMenu(): Promise<string> {
    const { headers } = await call(pbx.url, 'POST', '/v1/ivr', { token, body: menu() });
    const path = headers.get('location') ?? '';
    const own = `ivr||${path.slice('/v1/ivr/'.length)}`;
    const script = Array.from({ length: 1_000 }, () => '1').join(',');
    const tests = Array.from({ length: 20 }, (_, index) => ({
      name: `loop ${index}`,
      script,
      expect: { outcome: 'unfinished' },
    }));
    const body = menu({ option: ['1'], destination: [own], tests });
    const { status, text } = await call(pbx.url, 'PUT', `${path}?skip_tests=true`, { token, body });
    if (status !== 200) throw new Error(text);
    return path;
  }

  function greedy(enough: Promise<void>): Promise<GreedyAnswer> {
    const { hostname: host, port } = new URL(pbx.url);
    const requests = ['GET /v1/ivrs?limit=500', `POST ${looping}/test`, 'GET /v1/lint'];
    const question: GreedyQuestion = {
      host,
      port: Number(port),
      token,
      unread: { requests, connections: UNREAD, times: 4 },
      read: { requests: [...requests, `POST ${looping}/test?trace=3`], connections: 12 },
      seconds: SECONDS,
    };
    const file = fileURLToPath(new URL('./support/greedy-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(question)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // It stands for clients elsewhere: their work must not take this machine's processors from the service.
    setPriority(child.pid ?? 0, 19);
    void enough.then(() => child.stdin.end());
    let out = '';
    child.stdout.on('data', (bytes) => {
      out += String(bytes);
    });
    return new Promise((resolve) => child.once('close', () => resolve(JSON.parse(out) as GreedyAnswer)));
  }

  /** Another account's requests and calls while that happens. */
  async function noticed<Result>(work: (enough: Promise<void>) => Promise<Result>) {
    const sinceMs = nowOf(callers);
    const probes = { '/healthz': [] as number[], '/v1/agents': [] as number[] };
    const control: number[] = [];
    let over = false;
    let isEnough = (): void => undefined;
    const enough = new Promise<void>((resolve) => {
      isEnough = resolve;
    });
    let mostBytes = 0;
    const weighing = setInterval(() => {
      mostBytes = Math.max(mostBytes, residentBytes(pbx));
    }, 100);
    const probing = (async () => {
      while (!over) {
        for (const path of ['/healthz', '/v1/agents'] as const)
          probes[path].push(await probe(pbx.url + path));
        control.push(await probe(idle.url));
        if (control.length === PROBES) isEnough();
        await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
      }
    })();
    const result = await work(enough);
    over = true;
    await probing;
    clearInterval(weighing);
    return {
      result,
      mostBytes,
      controlMs: p99(control),
      healthMs: p99(probes['/healthz']),
      agentsMs: p99(probes['/v1/agents']),
      probes: probes['/healthz'].length,
      ...heardByAll(callers, sinceMs, stalls),
    };
  }

  /** Milliseconds until the response, without those that this process itself could not run. */
  function probe(url: string): Promise<number> {
    const startMs = performance.now();
    return new Promise((resolve, reject) => {
      const asked = request(
        url,
        { headers: { authorization: `Bearer ${TOKEN}` }, agent: false },
        (answer) => {
          const endMs = performance.now();
          answer.resume();
          if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
          else resolve(endMs - startMs - stalls.within(startMs, endMs));
        },
      );
      asked.once('error', reject);
      asked.end();
    });
  }

  it(`T37: ${UNREAD} connections that never read leave other accounts, calls and memory as they were`, async () => {
    const calm = await noticed(() => new Promise((resolve) => setTimeout(resolve, 5_000)));
    const beforeBytes = residentBytes(pbx);
    const attacked = await noticed(greedy);
    const grown = Math.round((attacked.mostBytes - beforeBytes) / MEGABYTE);
    const ms = (value: number): string => value.toFixed(1);
    figure(
      'T37',
      `${UNREAD} unread connections: RSS ${Math.round(beforeBytes / MEGABYTE)} MB + ${grown} MB; /healthz p99 ${ms(attacked.healthMs)} ms ` +
        `(calm ${ms(calm.healthMs)}), GET /v1/agents ${ms(attacked.agentsMs)} ms (${ms(calm.agentsMs)}), an idle server beside it ${ms(attacked.controlMs)} ms, audio gaps ` +
        `${attacked.gaps} (${calm.gaps}); responses read ${JSON.stringify(attacked.result.statuses)}`,
    );
    expect(attacked.result.opened).toBeGreaterThanOrEqual(UNREAD);
    expect(grown).toBeLessThan(300);
    // Each was answered with 200 while all those connections were open.
    expect(attacked.probes).toBeGreaterThanOrEqual(PROBES);
    expect(attacked.lost).toBeLessThan((CALLS * attacked.packets) / 10);
    expect([attacked.wrong, attacked.ended]).toEqual([[], 0]);
    expect(attacked.packets).toBeGreaterThan(100);
  });
});

async function idleServer(): Promise<{ url: string; process: ChildProcess }> {
  const code =
    "const s = require('node:http').createServer((q, r) => r.end('ok')).listen(0, '127.0.0.1', () => console.log(s.address().port))";
  const server = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) =>
    server.stdout.once('data', (bytes) => resolve(String(bytes).trim())),
  );
  return { url: `http://127.0.0.1:${port}/`, process: server };
}

function p99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
