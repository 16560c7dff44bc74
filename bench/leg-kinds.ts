// What a call costs by the kind of its phone, in one run of one whole service: plain SIP, SIP with SRTP, and a browser by WebSocket, ICE
// and DTLS-SRTP. Each call hears a prompt and sends 50 packets a second. Processor time is that of the service with all its processes;
// the phones are in this one. Set-up is from the click to the first packet of the prompt: of a browser POST /v1/phone_session, the
// WebSocket, the INVITE with its challenge, ICE and DTLS. The service has core 0, the phones core 1. `npm run build` first; Linux.
// Run by `taskset -c 1 npx tsx bench/leg-kinds.ts [calls=200] [seconds=10] [rounds=3]`.
import { readdirSync, readFileSync } from 'node:fs';
import { type Pbx, startPbx } from '../test/support/pbx.ts';
import { Phone } from '../test/support/phone/phone.ts';
import type { PhoneCall } from '../test/support/phone/phone-call.ts';
import { call as ask } from '../test/support/service.ts';
import { BrowserSide, type FarSide, RtpSide } from './leg-kinds-peers.ts';

const FRAME_MS = 20;
const WARM_UP_MS = 3_000;
const PAUSE_MS = 15;
/** Callers from one address; a service takes 100 WebSockets from one address. */
const PER_ADDRESS = 50;
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const NUMBER = '201';

const options = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));
const calls = Number(options.get('calls') ?? 200);
const seconds = Number(options.get('seconds') ?? 10);
const rounds = Number(options.get('rounds') ?? 3);

const KINDS = ['plain SIP', 'SIP with SRTP', 'browser'] as const;
type Kind = (typeof KINDS)[number];

interface Opened {
  readonly phone: Phone;
  readonly call: PhoneCall;
  readonly side: FarSide;
  readonly clickMs: number;
}

interface Measured {
  readonly cpuPercent: number;
  readonly share: number;
  readonly setUpMs: readonly number[];
  readonly gaps: readonly number[];
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? Number.NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);

/** User and system time of a process and of all that it started, in seconds. */
function cpuSeconds(root: number): number {
  const all = new Map<number, { parent: number; ticks: number }>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      all.set(Number(entry), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => pid === root || (pid > 1 && isOurs(all.get(pid)?.parent ?? 0));
  let ticks = 0;
  for (const [pid, { ticks: own }] of all) if (isOurs(pid)) ticks += own;
  return ticks / TICKS_PER_SECOND;
}

const sides = new Set<FarSide>();
const startedMs = performance.now();
let frame = 0;
/** By the clock, so that a late timer loses no packet. */
setInterval(() => {
  for (const due = Math.floor((performance.now() - startedMs) / FRAME_MS); frame < due; frame++)
    for (const side of sides) side.send(frame);
}, 5).unref();

async function phoneFor(pbx: Pbx, kind: Kind, index: number): Promise<{ phone: Phone; dial: string }> {
  if (kind !== 'browser') return { phone: await Phone.open({ server: pbx.sip }), dial: NUMBER };
  const { json } = await ask(pbx.url, 'POST', '/v1/phone_session', { body: { to: NUMBER } });
  const host = `127.0.0.${1 + Math.floor(index / PER_ADDRESS)}`;
  const webSocket = { url: `${pbx.url.replace(/^http/, 'ws')}${json.path}` };
  const own = { user: json.username, password: json.password };
  return {
    phone: await Phone.open({ ...own, server: pbx.sip, transport: 'ws', webSocket, host }),
    dial: json.dial,
  };
}

async function open(pbx: Pbx, kind: Kind, index: number): Promise<Opened> {
  const side = kind === 'browser' ? new BrowserSide() : await RtpSide.open(kind === 'SIP with SRTP');
  const clickMs = performance.now();
  const { phone, dial } = await phoneFor(pbx, kind, index);
  const call = await phone.call(dial, { sdp: { raw: side.offer, direction: 'recvonly' } });
  await call.answered();
  side.answered(call.descriptions.at(-1) ?? '');
  sides.add(side);
  return { phone, call, side, clickMs };
}

async function run(pbx: Pbx, kind: Kind, idlePercent: number): Promise<Measured> {
  const all: Opened[] = [];
  for (let index = 0; index < calls; index++) {
    all.push(await open(pbx, kind, index));
    await sleep(PAUSE_MS);
  }
  await sleep(WARM_UP_MS);
  for (const { side } of all) side.isMeasuring = true;
  const pid = pbx.process.pid ?? 0;
  const before = cpuSeconds(pid);
  const fromMs = performance.now();
  await sleep(seconds * 1_000);
  const measuredS = (performance.now() - fromMs) / 1_000;
  const cpuPercent = ((cpuSeconds(pid) - before) / measuredS) * 100 - idlePercent;
  for (const { side } of all) side.isMeasuring = false;
  const received = all.reduce((sum, { side }) => sum + side.received, 0);
  const setUpMs = all.map(({ side, clickMs }) => (side.firstMs ?? Number.POSITIVE_INFINITY) - clickMs);
  const gaps = all.flatMap(({ side }) => side.gaps);
  for (const { call, phone, side } of all) {
    await call.hangUp();
    sides.delete(side);
    side.close();
    phone.close();
  }
  await sleep(2_000);
  return { cpuPercent, share: received / (calls * measuredS * (1_000 / FRAME_MS)), setUpMs, gaps };
}

const pbx = await startPbx({
  under: ['taskset', '-c', '0'],
  env: { WEBRTC_PORT: '0', MAX_CALLS_PER_SECOND: '0' },
  recordings: { prompt: { hz: 540, ms: 120_000 } },
  menus: { prompt: { recording: 'recording||prompt', timeout: 600 } },
  numbers: { [NUMBER]: 'ivr||prompt' },
});
try {
  await run(pbx, 'browser', 0);
  const before = cpuSeconds(pbx.process.pid ?? 0);
  await sleep(5_000);
  const idlePercent = ((cpuSeconds(pbx.process.pid ?? 0) - before) / 5) * 100;
  const measured = new Map<Kind, Measured[]>(KINDS.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++)
    for (const kind of KINDS) {
      const one = await run(pbx, kind, idlePercent);
      measured.get(kind)?.push(one);
      process.stderr.write(
        `round ${round + 1}, ${kind}: ${(one.cpuPercent / calls).toFixed(3)} % per call\n`,
      );
    }
  console.log(
    `${calls} calls at once of each kind, ${seconds} s, ${rounds} rounds; idle ${idlePercent.toFixed(1)} % of a core\n`,
  );
  console.log(
    '| call | of a core for each, median | click to first audio, p50 / p99 | gap of packets, p50 / p99 | packets that came |',
  );
  console.log('|---|---|---|---|---|');
  for (const [kind, all] of measured) {
    const setUp = all.flatMap(({ setUpMs }) => setUpMs);
    const gaps = all.flatMap(({ gaps: each }) => each);
    const pair = (values: readonly number[]): string =>
      `${quantile(values, 0.5).toFixed(1)} / ${quantile(values, 0.99).toFixed(1)} ms`;
    console.log(
      `| ${kind} | ${(median(all.map(({ cpuPercent }) => cpuPercent)) / calls).toFixed(3)} % | ${pair(setUp)} | ${pair(gaps)} | ${(median(all.map(({ share }) => share)) * 100).toFixed(2)} % |`,
    );
  }
} finally {
  await pbx.remove();
}
process.exit(0);
