// What requests of calls do to audio: the same number of calls plays a prompt, first alone, then while calls ask a system over HTTP at a
// steady rate, signed, by the adapter that calls use. CPU of the process (media worker and main thread), the gaps between packets, and
// how long the answers took. The callers are one other process, the system another.
// Run by `taskset -c 0 npx tsx bench/requests.ts [calls=200] [rate=500] [seconds=20]`; Linux.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { sealedPlace } from '../src/domain/sealed.ts';
import { makeSealer } from '../src/kit/sealing.ts';
import { openMedia } from '../src/media/engine/engine.ts';
import { makeSafeFetch } from '../src/safe-fetch/safe-fetch.ts';
import { makeFlowRequests } from '../src/service/open-flow-requests.ts';
import { cpuPercent, LOOPBACK, openStreams, shown } from './engine-calls.ts';
import { message, start } from './media-limit.ts';
import type { PeerResult } from './media-peer.ts';
import { type Delays, delaysOf } from './stamps.ts';

const FIRST_PORT = 10_000;
const TICK_MS = 10;
const ACCOUNTS = 8;
const SECRET = `whsec_${'A'.repeat(32)}`;

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const calls = Number(options.get('calls') ?? 200);
const rate = Number(options.get('rate') ?? 500);
const seconds = Number(options.get('seconds') ?? 20);

interface Asked {
  readonly answered: number;
  readonly failed: number;
  readonly took: Delays;
}

/** Asks at that rate until it is told to stop. */
function asking(url: string): { stop(): Promise<Asked> } {
  const { fetchSafely, close } = makeSafeFetch({ allow: LOOPBACK });
  const sealer = makeSealer({ dataDir: '', secretKey: Buffer.alloc(32, 1) });
  const requests = makeFlowRequests({ fetchSafely, sealer, clock: { epochMs: () => Date.now() } });
  const sealed = Array.from({ length: ACCOUNTS }, (_, of) =>
    sealer.seal(SECRET, sealedPlace('request', `account-${of}`, 'bench')),
  );
  const tookMs: number[] = [];
  const open = new Set<Promise<void>>();
  const startedMs = performance.now();
  let sent = 0;
  let answered = 0;
  let failed = 0;

  async function ask(number: number): Promise<void> {
    const of = number % ACCOUNTS;
    const fromMs = performance.now();
    const outcome = await requests.send(
      {
        accountId: `account-${of}`,
        callId: `call-${number}`,
        id: 'bench',
        method: 'POST',
        url,
        body: JSON.stringify({ order: String(number), caller: '+4930123456' }),
        timeoutMs: 5_000,
        save: [{ variable: 'state', pointer: '/order/state' }],
        sealedSecret: sealed[of] ?? null,
      },
      new AbortController().signal,
    );
    tookMs.push(performance.now() - fromMs);
    if (outcome.ok) answered += 1;
    else failed += 1;
  }

  const ticking = setInterval(() => {
    // By the clock: ticks that come late are made up for.
    const due = ((performance.now() - startedMs) * rate) / 1_000;
    for (; sent < due; sent += 1) {
      const asked = ask(sent);
      open.add(asked);
      void asked.finally(() => open.delete(asked));
    }
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(ticking);
      await Promise.all(open);
      await close();
      return { answered, failed, took: delaysOf(tookMs) };
    },
  };
}

async function run(asks: boolean): Promise<{ cpu: number; peer: PeerResult; asked: Asked | null }> {
  const ports = { from: FIRST_PORT, to: FIRST_PORT + calls * 2 + 1_000 };
  const engine = await openMedia({
    host: '127.0.0.1',
    ports,
    workers: 1,
    adapter: 'auto',
    rtpTimeoutMs: 60_000,
  });
  engine.loadSound('prompt', Buffer.alloc(8_000 * 10, 0x55));
  const child = start('./media-peer.ts', 1);
  const { port } = await message<{ port: number }>(child);
  const streams = await openStreams(engine, calls, port);
  for (const stream of streams) stream.play(1, { kind: 'sound', id: 'prompt' }, true);
  const system = asks ? start('./request-server.ts', 1) : null;
  const load = system && asking(`http://127.0.0.1:${(await message<{ port: number }>(system)).port}/order`);
  child.send({ ports: streams.map((stream) => stream.port), seconds });
  const [cpu, peer] = await Promise.all([cpuPercent(seconds), message<PeerResult>(child)]);
  const asked = load ? await load.stop() : null;
  system?.disconnect();
  await engine.close();
  return { cpu, peer, asked };
}

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))]);
const [loaded = 0] = loadavg();
console.log(
  `${calls} prompt calls, ${rate} requests/s, ${seconds} s, Node ${process.version}, load ${loaded.toFixed(2)}`,
);
const alone = await run(false);
console.log(
  `prompts:      ${alone.cpu.toFixed(1)} % of a core; gap ${shown(alone.peer)}, ${alone.peer.lost} lost`,
);
const both = await run(true);
console.log(
  `and requests: ${both.cpu.toFixed(1)} % of a core; gap ${shown(both.peer)}, ${both.peer.lost} lost`,
);
if (both.asked) {
  const { answered, failed, took } = both.asked;
  const cost = ((both.cpu - alone.cpu) * 10) / rate;
  console.log(
    `${answered} answered, ${failed} failed; ${shown(took)}; ${cost.toFixed(2)} ms of CPU a request`,
  );
}
