// What voice bots cost beside prompts: the same number of calls plays a prompt, then talks with bots that answer every frame. CPU of the
// engine's process (media workers, the thread of the bots and the main thread), delay caller → bot and bot → caller beyond the frame, and
// the gaps between packets. The callers are one other process, the bots another.
// Run by `taskset -c 0 npx tsx bench/streams.ts [calls=200] [seconds=20] [adapter=auto]`; Linux.
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BotThread } from '../src/bots/bot-thread.ts';
import { openMedia } from '../src/media/engine/engine.ts';
import type { MediaConfig, Stream } from '../src/media/media.ts';
import { cpuPercent, LOOPBACK, openStreams, shown } from './engine-calls.ts';
import { message, start } from './media-limit.ts';
import type { PeerResult } from './media-peer.ts';
import type { Delays } from './stamps.ts';

const FIRST_PORT = 10_000;

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const calls = Number(options.get('calls') ?? 200);
const seconds = Number(options.get('seconds') ?? 20);
const adapter = (options.get('adapter') ?? 'auto') as MediaConfig['adapter'];

/** A bot for each stream; returns when all are connected. */
async function linkBots(bots: BotThread, streams: readonly Stream[], url: string): Promise<void> {
  await Promise.all(
    streams.map(
      (stream, index) =>
        new Promise<void>((resolve, reject) => {
          const wanted = {
            accountId: `account-${index % 4}`,
            callId: `call-${index}`,
            id: 'bench',
            url,
            parameters: {},
            sealedSecret: null,
            caller: null,
            dialled: '500',
          };
          const { ring } = bots.open(wanted, {
            opened: resolve,
            transfer() {},
            setVariables() {},
            ended: (outcome) => reject(new Error(JSON.stringify(outcome))),
          });
          stream.linkBot(ring);
        }),
    ),
  );
}

interface Run {
  readonly cpu: number;
  readonly peer: PeerResult;
  /** Caller → bot. */
  readonly up?: Delays;
}

async function run(mode: 'prompts' | 'bots'): Promise<Run> {
  const ports = { from: FIRST_PORT, to: FIRST_PORT + calls * 2 + 1_000 };
  const engine = await openMedia({ host: '127.0.0.1', ports, workers: 1, adapter, rtpTimeoutMs: 60_000 });
  engine.loadSound('prompt', Buffer.alloc(8_000 * 10, 0x55));
  const bots = new BotThread({
    allow: LOOPBACK,
    shares: { total: calls, perAccount: calls },
    headersOf: () => ({}),
    died: (reason) => console.error(reason),
  });
  const child = start('./media-peer.ts', 1);
  const { port } = await message<{ port: number }>(child);
  const streams = await openStreams(engine, calls, port);
  const bot = mode === 'bots' ? start('./stream-bot.ts', 1) : null;
  if (bot) {
    const { port: botPort } = await message<{ port: number }>(bot);
    await linkBots(bots, streams, `ws://127.0.0.1:${botPort}/`);
  } else for (const stream of streams) stream.play(1, { kind: 'sound', id: 'prompt' }, true);
  const stamps = bot ? { stamps: true as const } : {};
  child.send({ ports: streams.map((stream) => stream.port), seconds, ...stamps });
  const [cpu, peer] = await Promise.all([cpuPercent(seconds), message<PeerResult>(child)]);
  bot?.send('done');
  const up = bot ? await message<Delays>(bot) : undefined;
  await bots.close();
  await engine.close();
  return { cpu, peer, ...(up ? { up } : {}) };
}

execFileSync(process.execPath, [fileURLToPath(new URL('../bin/build.js', import.meta.url))]);
const [load = 0] = loadavg();
console.log(`${calls} calls, ${seconds} s, Node ${process.version}, load ${load.toFixed(2)}`);
const prompts = await run('prompts');
console.log(`prompts: ${prompts.cpu.toFixed(1)} % of a core; gap ${shown(prompts.peer)}`);
const bots = await run('bots');
console.log(`bots:    ${bots.cpu.toFixed(1)} % of a core; gap ${shown(bots.peer)}`);
console.log(`         ${(bots.cpu - prompts.cpu).toFixed(1)} % of a core more than prompts`);
if (bots.up) console.log(`caller → bot ${shown(bots.up)} beyond the frame, ${bots.up.count} frames`);
const { delays } = bots.peer;
if (delays) console.log(`bot → caller ${shown(delays)} beyond the frame, ${delays.count} frames`);
