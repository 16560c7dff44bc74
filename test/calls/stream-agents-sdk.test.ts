// A call is taken by the Twilio transport of the OpenAI Agents SDK, as it is on the registry, against a stand-in of the realtime service:
// audio both ways, interruption by clear, marks and keys.
import type { AddressInfo } from 'node:net';
import { RealtimeAgent, RealtimeSession } from '@openai/agents/realtime';
import { TwilioRealtimeTransportLayer } from '@openai/agents-extensions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../support/phone/eventually.ts';
import type { Json } from '../support/service.ts';
import { isTone, toneAudio } from './support/bot.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'next', 'failed');
const CALLER_HZ = 2_600;
const BOT_HZ = 2_900;
/** What the service would say, in pieces as it sends them. */
const ANSWER_MS = 10_000;
const PIECE_MS = 100;

/** The realtime service, as far as the transport needs it. */
class Realtime {
  readonly received: Json[] = [];
  readonly server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  #client: WebSocket | null = null;
  #events = 0;

  constructor() {
    this.server.on('connection', (socket) => {
      this.#client = socket;
      socket.on('message', (data) => this.received.push(JSON.parse(String(data))));
      this.send({ type: 'session.created', session: { object: 'realtime.session' } });
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  send(event: object): void {
    this.#client?.send(JSON.stringify({ event_id: `event_${this.#events++}`, ...event }));
  }

  /** Faster than it can be heard. */
  answer(): void {
    const about = { response_id: 'resp_1', item_id: 'item_1', output_index: 0, content_index: 0 };
    const response = { id: 'resp_1', object: 'realtime.response', status: 'in_progress', output: [] };
    this.send({ type: 'response.created', response });
    const audio = toneAudio(BOT_HZ, ANSWER_MS);
    for (let at = 0; at < audio.length; at += PIECE_MS * 8) {
      const delta = audio.subarray(at, at + PIECE_MS * 8).toString('base64');
      this.send({ type: 'response.output_audio.delta', ...about, delta });
    }
  }

  interrupt(): void {
    this.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 1_000, item_id: 'item_2' });
  }

  of(type: string): Json[] {
    return this.received.filter((event) => event.type === type);
  }
}

let realtime: Realtime;
let agents: WebSocketServer;
let bed: PhoneBed;
const keys: string[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  realtime = new Realtime();
  agents = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await Promise.all(
    [realtime.server, agents].map((server) => new Promise((resolve) => server.once('listening', resolve))),
  );
  agents.on('connection', (socket) => {
    const transport = new TwilioRealtimeTransportLayer({ twilioWebSocket: socket });
    const agent = new RealtimeAgent({ name: 'Receptionist', instructions: 'Be brief.' });
    // The format of calls; since 0.18 the session's default, PCM, comes before that of the transport.
    const audio = { input: { format: 'g711_ulaw' }, output: { format: 'g711_ulaw' } } as const;
    const session = new RealtimeSession(agent, { transport, tracingDisabled: true, config: { audio } });
    session.on('error', (error) => errors.push(error));
    session.on('transport_event', (event: Json) => {
      if (event.type === 'twilio_message' && event.message.event === 'dtmf')
        keys.push(event.message.dtmf.digit);
    });
    session.connect({ apiKey: 'ek_test', url: realtime.url }).catch((error: unknown) => errors.push(error));
  });
  bed = await PhoneBed.open({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
    recordings,
    menus: {
      next: { recording: 'recording||next', timeout: 30 },
      failed: { recording: 'recording||failed', timeout: 30 },
    },
  });
  const made = await bed.api('POST', '/v1/stream', {
    name: 'Voice agent',
    url: `ws://127.0.0.1:${(agents.address() as AddressInfo).port}/media-stream`,
    next_destination: 'ivr||next',
    failed_destination: 'ivr||failed',
  });
  await bed.api('POST', '/v1/number', { number: '600', destination: `stream||${made.json.id}` });
});

afterAll(async () => {
  await bed.close();
  for (const server of [realtime.server, agents]) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

const WAIT = { withinMs: 30_000 };

it('takes a call: audio both ways, marks, interruption by clear, keys, and the end', async () => {
  const call = await bed.reach('600');
  await call.sendTone(CALLER_HZ);
  // The caller's voice reaches the service, in its own format.
  await eventually(
    () => realtime.of('input_audio_buffer.append').some(({ audio }) => isTone(audio, CALLER_HZ)),
    WAIT,
    () => `the service heard no tone, but got ${realtime.received.map(({ type }) => type).join(', ')}`,
  );
  await call.sendSilence();
  const formats = realtime.of('session.update').map(({ session }) => session.audio?.input?.format);
  expect(JSON.stringify(formats)).toMatch(/pcmu|g711_ulaw/);

  realtime.answer();
  await call.hears(BOT_HZ, { forMs: 1_000, ...WAIT });
  realtime.interrupt();
  // What the caller has heard is known by the marks that came back: more than nothing, less than all.
  const truncate = await eventually(
    () => realtime.of('conversation.item.truncate')[0],
    WAIT,
    () => 'the answer was not truncated',
  );
  expect(truncate.item_id).toBe('item_1');
  expect(truncate.audio_end_ms).toBeGreaterThanOrEqual(500);
  expect(truncate.audio_end_ms).toBeLessThan(ANSWER_MS);
  await call.hearsSilence(500, WAIT);

  await call.pressKeys('42');
  await eventually(
    () => keys.join('') === '42',
    WAIT,
    () => `the keys came as ${keys.join('')}`,
  );
  for (const client of agents.clients) client.close(1000);
  await call.hears(hz.next, { forMs: 80, ...WAIT });
  await call.hangUp();
  const record = await bed.record(call);
  expect(codes(record)).toEqual(expect.arrayContaining(['stream-connected', 'stream-ended']));
  expect(errors).toEqual([]);
});
