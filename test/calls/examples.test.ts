// The examples of docs/examples.md, as they stand in examples/: imported by the command line, with their servers started as their readers
// start them, and called.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import { eventually } from '../support/phone/eventually.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { toneCoded, toneWav } from '../support/phone/tone-recording.ts';
import { type Json, runProcess, TOKEN } from '../support/service.ts';
import { callerOf, codes, PhoneBed } from './support/phone-bed.ts';

const hz = toneCoded('welcome', 'question', 'answer', 'sorry', 'thanks');
/** What the speech engine says, by how a text begins. */
const SAID: readonly (readonly [begins: RegExp, hz: number])[] = [
  [/^(?:Please enter|How did|Enter the number)/, hz.question],
  [/^(?:Your order|Thank you\. We call)/, hz.answer],
  [/^We /, hz.sorry],
  [/^Thank you/, hz.thanks],
];
const CALLER_HZ = 2_600;

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dialtree-examples-'));
const children: ChildProcess[] = [];
const spoken: string[] = [];
let speech: Server;
let bed: PhoneBed;
let provider: Phone;
let agent: Phone;

beforeAll(async () => {
  speech = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body) as { input: string };
    spoken.push(input);
    response.end(toneWav(SAID.find(([begins]) => begins.test(input))?.[1] ?? 3_000, 500));
  });
  await new Promise<void>((resolve) => speech.listen(0, '127.0.0.1', resolve));
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  bed = await PhoneBed.open({
    env: {
      OUTBOUND_ALLOW: '127.0.0.0/8',
      TTS_URL: `http://127.0.0.1:${(speech.address() as AddressInfo).port}/v1/audio/speech`,
      TTS_MODEL: 'stand-in',
    },
    recordings: { welcome: { hz: hz.welcome, ms: 300 } },
    agents: { '1002': {}, '1003': {} },
    departments: { support: { name: 'Support', agents: [eidOf('1003')] } },
    trunks: {
      out: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '07', strip: 0, add: '' }],
        agents_may_call: true,
        addresses: ['127.0.0.2'],
      },
    },
  });
  bed.phones.push(provider);
  agent = await bed.agent('1003');
});

afterAll(async () => {
  for (const child of children) child.kill();
  await bed?.close();
  speech?.closeAllConnections();
  speech?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program of examples/ on a port of its own, which it says. */
async function start(name: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(examples, name)], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  child.stdout.on('data', (bytes) => {
    said += String(bytes);
  });
  const port = await eventually(
    () => /port (\d+)/.exec(said)?.[1],
    {},
    () => `${name} said ${said}`,
  );
  return { child, port, said: () => said };
}

let imports = 0;

/** Imports a file of examples/, with the ports and agents of this test. */
async function imported(name: string, instead: Readonly<Record<string, string>> = {}): Promise<void> {
  let text = readFileSync(join(examples, name), 'utf8');
  const agents = { '"100003"': `"${eidOf('1003')}"`, '"100002"': `"${eidOf('1002')}"` };
  for (const [there, here] of Object.entries({ ...agents, ...instead })) text = text.replaceAll(there, here);
  const file = join(folder, name);
  writeFileSync(file, text);
  const { code, out, err } = await runProcess(['import', file], { dataDir: bed.pbx.dataDir });
  expect([code, err], out).toEqual([0, '']);
  // A change by another process is known within a second, or as soon as the service itself changes something.
  imports += 1;
  const own = { number: `${8_000 + imports}`, destination: 'hangup||now' };
  expect((await bed.api('POST', '/v1/number', own)).status).toBe(201);
}

async function recordOf(call: PhoneCall): Promise<Json> {
  return bed.record(callerOf(call));
}

/** The agent of the department answers this call. */
async function answeredByAgent(call: PhoneCall): Promise<PhoneCall> {
  const incoming = await agent.incoming({ withinMs: 30_000 });
  await incoming.answer();
  await call.sendTone(CALLER_HZ);
  await incoming.hears(CALLER_HZ, { forMs: 100 });
  await call.sendSilence();
  return incoming;
}

describe('the order-status line', () => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start('order-status.js');
    await imported('order-status.json', { '127.0.0.1:9000': `127.0.0.1:${server.port}` });
  });

  it('asks for the order, asks the system, and says its state', async () => {
    const call = await bed.choose('600', hz.question, '471100');
    await call.hears(hz.answer, { forMs: 200 });
    await call.ended();
    expect(spoken).toContain('Your order 471100 was shipped on Monday.');
    const record = await recordOf(call);
    expect(record.variables).toMatchObject({ order_number: '471100', order_state: 'shipped' });
    const found = await bed.api('GET', '/v1/call/records?variable=order_state=shipped');
    expect(found.json.data.map(({ id }: Json) => id)).toContain(record.id);
  });

  it('says another state with the same words', async () => {
    const call = await bed.choose('600', hz.question, '471101');
    await call.hears(hz.answer, { forMs: 200 });
    await call.ended();
    expect(spoken).toContain('Your order 471101 is being packed.');
  });

  it('connects callers with an unknown order to a person, after it said so', async () => {
    const call = await bed.choose('600', hz.question, '999999');
    await call.hears(hz.sorry, { forMs: 200 });
    await answeredByAgent(call);
    await call.hangUp();
    expect(spoken).toContain('We have no order 999999. One moment, we connect you.');
  });

  it('connects callers to a person while the system is away', async () => {
    server.child.kill();
    await once(server.child, 'exit');
    const call = await bed.choose('600', hz.question, '471100');
    await answeredByAgent(call);
    await call.hangUp();
    expect(codes(await recordOf(call))).toContain('request-failed');
  });
});

it('the survey asks after the call, when the agent has hung up, and the record has the rating', async () => {
  await imported('survey.json');
  const call = await bed.dial('601');
  const incoming = await agent.incoming();
  await incoming.answer();
  await call.answered();
  await incoming.hangUp();
  await call.hears(hz.question, { forMs: 100 });
  await call.pressKeys('2');
  await call.hears(hz.sorry, { forMs: 200 });
  await call.ended();
  expect((await recordOf(call)).variables).toMatchObject({ rating: '2' });
  const found = await bed.api('GET', '/v1/call/records?variable=rating=2');
  expect(found.json.data).toHaveLength(1);
});

describe('the voice agent', () => {
  let speaking: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    const echo = await start('echo-bot.js');
    speaking = await start('speaking-bot.js');
    await imported('voice-agent.json', {
      '127.0.0.1:8765': `127.0.0.1:${echo.port}`,
      '127.0.0.1:8766': `127.0.0.1:${speaking.port}`,
    });
  });

  it('repeats what it hears, after the disclosure, and hands the caller over', async () => {
    const call = await bed.reach('602');
    await call.hears(hz.welcome, { forMs: 100 });
    await call.sendTone(CALLER_HZ);
    await call.hears(CALLER_HZ, { forMs: 200 });
    await call.sendSilence();
    await call.pressKeys('0');
    await answeredByAgent(call);
    await call.hangUp();
  });

  it('speaks, stops when it is interrupted, answers, and hands the caller over', async () => {
    const call = await bed.reach('603');
    const disclosure = await call.hears(hz.welcome, { forMs: 100 });
    await speaks(call, disclosure.fromMs + 200);
    const interruptedMs = call.nowMs();
    await call.sendTone(CALLER_HZ);
    await call.hearsSilence(500);
    // The sentence takes 4 s: it would have gone on for most of them.
    expect(soundMs(call, interruptedMs)).toBeLessThan(2_000);
    const silentMs = call.nowMs();
    await call.sendSilence();
    await speaks(call, silentMs);
    await answeredByAgent(call);
    await call.hangUp();
    const record = await recordOf(call);
    expect(record.variables).toMatchObject({ spoke: 'yes' });
    expect(codes(record)).toEqual(expect.arrayContaining(['stream-connected', 'stream-transferred']));
  });

  it('leads to a person while the bot is away', async () => {
    speaking.child.kill();
    await once(speaking.child, 'exit');
    const call = await bed.reach('603');
    await answeredByAgent(call);
    await call.hangUp();
    expect(codes(await recordOf(call))).toContain('stream-failed');
  });
});

/** How long anything but silence was heard since then. */
const soundMs = (call: PhoneCall, sinceMs: number): number =>
  call
    .heard()
    .filter(({ hz, fromMs }) => hz !== 'silence' && hz !== 'nothing' && fromMs >= sinceMs)
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

const speaks = (call: PhoneCall, sinceMs: number): Promise<true> =>
  eventually(
    () => soundMs(call, sinceMs) > 1_000 || null,
    { withinMs: 30_000 },
    () => `a second of speech was not heard, but ${call.heardText()}`,
  );

it('a callback request calls the number that the caller has typed and confirmed', async () => {
  const system = await start('callback-request.js', { TOKEN, DIALTREE: bed.pbx.url, DELAY_MS: '200' });
  await imported('callback-request.json', { '127.0.0.1:9001': `127.0.0.1:${system.port}` });
  const call = await bed.choose('604', hz.question, '0771234#');
  // The digits are read back meanwhile.
  await call.sendSilence(1_500);
  await call.pressKeys('1');
  await call.hears(hz.answer, { forMs: 200, withinMs: 30_000 });
  await call.ended();
  const back = await provider.incoming({ withinMs: 30_000 });
  expect(back.dialled).toBe('0771234');
  await back.answer();
  const incoming = await agent.incoming();
  await incoming.answer();
  await incoming.sendTone(CALLER_HZ);
  await back.hears(CALLER_HZ, { forMs: 100 });
  await back.hangUp();
  const asked = await recordOf(call);
  expect(asked.variables).toMatchObject({ callback_number: '0771234' });
  const found = await bed.until('the record of the callback', async () => {
    const { json } = await bed.api('GET', `/v1/call/records?variable=asked_in=${asked.id}`);
    return json.data[0] ?? null;
  });
  expect(found.direction).toBe('outbound');
  expect(system.said()).toContain('0771234 wants to be called.');
});
