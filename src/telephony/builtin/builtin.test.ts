// The built-in telephony on real sockets, with our own phone at the other end.
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Phone } from '../../../test/support/phone/phone.ts';
import type { PhoneCall } from '../../../test/support/phone/phone-call.ts';
import { header } from '../../../test/support/phone/sip-text.ts';
import { toneRecording } from '../../../test/support/phone/tone-recording.ts';
import { Negotiation } from '../../media/sdp/negotiation.ts';
import { type Callee, type RemoteParty, type TestNetwork, until } from '../contract/test-network.contract.ts';
import { telephonyContract } from '../telephony.contract.ts';
import type { Credentials, TelephonyUser } from '../telephony.ts';
import { openBuiltin } from './builtin.ts';

const REALM = 'dialtree';
const PASSWORD = 'secret';
const REFUSALS = { busy: 486, declined: 603, unreachable: 480 } as const;
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function credentialsOf(user: string): readonly Credentials[] {
  return [
    { id: user, realm: REALM, md5: md5(`${user}:${REALM}:${PASSWORD}`), sha256: '', requireSha256: false },
  ];
}

async function open(user: Pick<TelephonyUser, 'called'>, maxCalls = 100): Promise<TestNetwork> {
  const telephony = await openBuiltin({
    listen: [
      {
        protocol: 'udp',
        host: '127.0.0.1',
        port: 0,
        hostVariable: 'SIP_HOST',
        portVariable: 'SIP_PORT',
      },
    ],
    advertisedAddress: undefined,
    realm: REALM,
    digests: ['MD5'],
    isOpenAddress: () => true,
    user: {
      mayCall: () => [],
      trunkOf: (ids) => ids[0] ?? '',
      credentialsOf,
      credentialsFor: (id, name) => credentialsOf(name).find((each) => each.id === id),
      called: (call) => user.called(call),
    },
    logger: pino({ level: 'silent' }),
    media: {
      host: '127.0.0.1',
      ports: { from: 30_000, to: 30_999 },
      workers: 1,
      adapter: 'auto',
      rtpTimeoutMs: 30_000,
    },
    limits: { maxCalls, maxCallsPerSecond: 0 },
    readSound: async (sound) =>
      sound.kind === 'recording' && sound.sha256 === 'sound' ? toneRecording(1_270, 200) : null,
  });
  const port = Number(telephony.report().listening[0]?.split(':').at(-1));
  const server = { host: '127.0.0.1', port };
  const phones: Phone[] = [];
  const calls = new Map<RemoteParty, PhoneCall>();
  const phone = async (options: { user?: string; password?: string } = {}): Promise<Phone> => {
    const opened = await Phone.open({ server, ...options });
    phones.push(opened);
    return opened;
  };
  const person = (call: PhoneCall): RemoteParty => ({
    press: (keys) => call.pressKeys(keys),
    sendSound: (ms) => call.sendTone(1_700, ms),
    sendSilence: (ms) => call.sendSilence(ms),
    hold: async () => {
      expect(await call.hold()).toBe(200);
    },
    resume: async () => {
      expect(await call.resume()).toBe(200);
    },
    hangUp: () => call.hangUp(),
    gone: async () => {
      await call.ended();
    },
  });
  return {
    telephony,
    async call(dialled) {
      const call = await (await phone()).call(dialled);
      const caller = {
        ...person(call),
        status: () => call.finished(),
        retryAfter: () => (call.finalResponse ? header(call.finalResponse, 'retry-after') : ''),
      };
      calls.set(caller, call);
      return caller;
    },
    async register(id, count) {
      const registered = await Promise.all(
        Array.from({ length: count }, () => phone({ user: id, password: PASSWORD })),
      );
      for (const each of registered) await each.register();
      return registered.map((each) => ({
        async called(): Promise<Callee> {
          const call = await each.incoming();
          const called: Callee = {
            ...person(call),
            ring: async () => call.ring(),
            ringWithSound: async () => call.ring(183),
            answer: async () => {
              await call.answer();
            },
            refuse: async (how) => call.reject(REFUSALS[how]),
          };
          calls.set(called, call);
          return called;
        },
      }));
    },
    async talk(one, other) {
      const [ours, theirs] = [calls.get(one), calls.get(other)];
      ours?.forget();
      theirs?.forget();
      await ours?.sendTone(1_700);
      await theirs?.sendTone(2_100);
      await Promise.all([theirs?.hears(1_700, { forMs: 100 }), ours?.hears(2_100, { forMs: 100 })]);
    },
    async hearsOnHold(party) {
      const call = calls.get(party);
      call?.forget();
      await call?.hears(1_270, { forMs: 400 });
    },
    async listens(listener, target, partner, mode) {
      const [boss, agent, caller] = [calls.get(listener), calls.get(target), calls.get(partner)];
      if (!boss || !agent || !caller) throw new Error('a party is not in a call');
      await Promise.all([boss.sendTone(1_400), agent.sendTone(2_100), caller.sendTone(1_700)]);
      await Promise.all([
        hearsBoth(boss, 1_700, 2_100),
        mode === 'monitor' ? hearsAlone(agent, 1_700) : hearsBoth(agent, 1_400, 1_700),
        mode === 'barge' ? hearsBoth(caller, 1_400, 2_100) : hearsAlone(caller, 2_100),
      ]);
    },
    async confer(parties) {
      const tones = [1_400, 1_700, 2_100];
      const talking = parties.map((party) => calls.get(party) ?? fail('a party is not in a call'));
      await Promise.all(talking.map((call, index) => call.sendTone(tones[index] ?? 0)));
      await Promise.all(
        talking.map((call, index) => {
          const [low = 0, high] = tones.slice(0, talking.length).filter((_, at) => at !== index);
          return high === undefined ? hearsAlone(call, low) : hearsBoth(call, low, high);
        }),
      );
    },
    async close() {
      await telephony.close();
      await until(() => telephony.report().streams === 0);
      for (const each of phones) each.close();
    },
  };
}

function fail(text: string): never {
  throw new Error(text);
}

async function hearsAlone(call: PhoneCall, hz: number): Promise<void> {
  call.forget();
  await call.hears(hz, { forMs: 300 });
}

/** Two tones at once, and nothing else beside them. */
async function hearsBoth(call: PhoneCall, low: number, high: number): Promise<void> {
  call.forget();
  const isPair = (pair: readonly number[] | undefined): boolean =>
    pair !== undefined && Math.abs((pair[0] ?? 0) - low) <= 25 && Math.abs((pair[1] ?? 0) - high) <= 25;
  const sinceMs = call.nowMs();
  await until(() =>
    call.heard().some((each) => isPair(each.pair) && each.toMs - Math.max(each.fromMs, sinceMs) > 250),
  ).catch(() => {
    throw new Error(`${low} and ${high} Hz were not heard together, but ${call.heardText()}`);
  });
}

describe('the built-in telephony passes the contract of the port', () => {
  telephonyContract(open);
});

it('calls of a dead node that go on here count for MAX_CALLS', async () => {
  const network = await open({ called: () => ({ status: 404 }) }, 1);
  const media = new Negotiation({ address: '127.0.0.1', port: 5000 });
  media.answer(
    Buffer.from(
      'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 8\r\n',
    ),
  );
  const dialog = {
    callId: 'c',
    local: '<sip:a@127.0.0.1>;tag=1',
    remote: '<sip:c@127.0.0.1>;tag=2',
    routes: ['<sip:127.0.0.1:9;lr>'],
    target: 'sip:c@127.0.0.1:9',
    localSeq: 1,
    remoteSeq: 2,
    ownsCallId: false,
    protocol: 'udp',
    hop: { address: '127.0.0.1', port: 9 },
  };
  const text = JSON.stringify({ dialog, media: media.stored(), hops: 70, passes: 0 });
  const options = { quotas: [], trunk: null };
  const caller = network.telephony.restore(text, options);
  if (!caller) throw new Error('not restored');
  const called = network.telephony.restore(text.replace('"c"', '"d"'), { ...options, near: caller });
  expect(await (await network.call('1001')).status()).toBe(503);
  called?.hangUp();
  caller.hangUp();
  await until(() => network.telephony.legs === 0);
  expect(await (await network.call('1001')).status()).toBe(404);
  await network.close();
});
