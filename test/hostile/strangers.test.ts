// Strangers from other addresses: scanners (T2), guessers (T3, T4), fraud (T1), amplification (T9) and methods that are not offered
// (T13). They learn nothing, reach no phone and are banned; an honest phone registers meanwhile.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { readSip } from '../support/phone/sip-text.ts';
import { TONE_NUMBER, TONE_SERVICE } from './support/audio.ts';
import { callsLeft, metric, NOTHING_LEFT } from './support/metrics.ts';
import { namespacesMissing, toolMissing } from './support/needs.ts';
import { RawCaller, sdpAt } from './support/raw-caller.ts';
import { requestText } from './support/sip-probe.ts';
import { type Datagram, type Place, Stranger, wait } from './support/stranger.ts';
import { Village } from './support/village.ts';

const KNOWN = Array.from({ length: 100 }, (_, index) => String(100 + index));
const UNKNOWN = Array.from({ length: 100 }, (_, index) => String(600 + index));
/** Kamailio's pike: so many requests in two seconds and the address is banned. */
const BEFORE_BAN = 16;
const POLITE = 10;

describe.skipIf(namespacesMissing())('strangers', () => {
  let village: Village;
  let pbx: Pbx;
  /** Where calls out would go to, and the address of somebody whose calls are taken. */
  let outside: Stranger;
  let peer: string;
  let guests = 0;
  const asked: { method: string; stranger: Stranger; bytes: number }[] = [];
  let third: Stranger;
  let caller: RawCaller;
  let askedMs = 0;

  beforeAll(async () => {
    village = new Village(10);
    outside = await Stranger.open(village.guest(guests++));
    peer = village.guest(guests++);
    pbx = await startPbx({
      ...TONE_SERVICE,
      env: { SIP_HOST: village.here },
      agents: Object.fromEntries(KNOWN.map((user) => [user, {}])),
      trunks: {
        peer: { addresses: [peer] },
        outside: {
          host: outside.host,
          port: outside.port,
          outbound_prefixes: [...'+0123456789'].map((prefix) => ({ prefix, strip: 0, add: '' })),
        },
      },
    });
    await askOnce();
  });
  afterAll(async () => {
    await pbx?.remove();
    outside?.close();
    village?.remove();
  });

  /** Somebody whom the service never heard of. */
  const newcomer = (): Promise<Stranger> => Stranger.open(village.guest(guests++));
  const bans = (): Promise<number> => metric(pbx, 'dialtree_sip_bans');

  /** What each of these requests got, from as many addresses as it takes not to be banned. */
  async function ask(requests: readonly ((from: Place) => string)[]): Promise<Datagram[][]> {
    const answers: Datagram[][] = [];
    for (let first = 0; first < requests.length; first += POLITE) {
      const stranger = await newcomer();
      for (const request of requests.slice(first, first + POLITE)) {
        stranger.received.length = 0;
        await stranger.send(request(stranger), pbx.sip);
        const untilMs = performance.now() + 30_000;
        while (stranger.received.length === 0 && performance.now() < untilMs) await wait(1);
        answers.push([...stranger.received]);
      }
      stranger.close();
    }
    return answers;
  }

  /** One packet of each from a newcomer, and a caller who names a third one for the sound and never sends an ACK. */
  async function askOnce(): Promise<void> {
    for (const method of [
      'INVITE',
      'REGISTER',
      'OPTIONS',
      'SUBSCRIBE',
      'MESSAGE',
      'PUBLISH',
      'NOTIFY',
      'REFER',
    ]) {
      const stranger = await newcomer();
      const body = method === 'INVITE' ? sdpAt(stranger) : '';
      const headers = body === '' ? [] : [['Content-Type', 'application/sdp'] as const];
      const text = requestText(method, pbx.sip, stranger, { body, headers });
      await stranger.send(text, pbx.sip);
      asked.push({ method, stranger, bytes: text.length });
    }
    // What is repeated until its ACK is repeated for 32 s. No sound goes to an address that somebody else only named.
    third = await newcomer();
    caller = await RawCaller.open(pbx.sip, peer);
    expect((await caller.invite(TONE_NUMBER, third)).status).toBe(200);
    askedMs = performance.now();
  }

  const status = (answers: readonly Datagram[]): number | null =>
    readSip(answers[0]?.bytes.toString('latin1') ?? '')?.status ?? null;

  it('an account that exists is answered like one that does not: code, headers and length (T4)', async () => {
    for (const method of ['REGISTER', 'INVITE']) {
      const users = [...KNOWN, ...UNKNOWN];
      const answers = await ask(
        users.map((user) => (from) => requestText(method, pbx.sip, from, { user, fromUser: user })),
      );
      // The Via is the asker's own, with an address and ports that are not always as long.
      const shapes = answers.map(([answer]) => {
        const message = readSip(answer?.bytes.toString('latin1') ?? '');
        const headers = message?.headers.filter(([name]) => name !== 'via') ?? [];
        const length = headers.reduce((sum, [, value]) => sum + value.length, 0);
        return `${message?.status} ${headers.map(([name]) => name).join(' ')}: ${length}`;
      });
      for (const [index, user] of KNOWN.entries()) {
        expect(shapes[index]?.startsWith('401'), user).toBe(true);
      }
      expect([...new Set(shapes)]).toHaveLength(1);
    }
  });

  it('200 numbers abroad, dialled by strangers: 401, and no call goes out (T1)', async () => {
    const answers = await ask(
      numbers().map(
        (user) => (from) =>
          requestText('INVITE', pbx.sip, from, {
            user,
            headers: [['Content-Type', 'application/sdp']],
            body: sdpAt(from),
          }),
      ),
    );
    expect(answers).toHaveLength(200);
    expect(new Set(answers.map(status))).toEqual(new Set([401]));
    expect(outside.received).toEqual([]);
  });

  it('the same by a registered agent who may not call out: 403 or 404, and no call goes out (T1)', async () => {
    const agent = await Phone.open({
      server: pbx.sip,
      user: '100',
      password: PASSWORD,
      host: village.guest(guests++),
    });
    expect(await agent.register()).toBe(200);
    const codes = new Set<number>();
    for (const number of numbers()) codes.add(await (await agent.call(number)).finished());
    expect([...codes].filter((code) => code !== 403 && code !== 404)).toEqual([]);
    expect(outside.received).toEqual([]);
    expect(await agent.unregister()).toBe(200);
    agent.close();
  });

  it('a transfer to a number that may not be called is refused (T13)', async () => {
    const phone = await Phone.open({ server: pbx.sip, host: peer });
    const call = await phone.call(TONE_NUMBER);
    await call.answered();
    expect(await call.refer('+19001234567')).toBeGreaterThanOrEqual(400);
    expect(outside.received).toEqual([]);
    await call.hangUp();
    phone.close();
  });

  it('an address that asks too often is banned, and gets no answer', async () => {
    const before = await bans();
    const stranger = await newcomer();
    for (let count = 0; count < 40; count += 1) {
      await stranger.send(requestText('REGISTER', pbx.sip, stranger), pbx.sip);
    }
    await expect.poll(bans).toBe(before + 1);
    await wait(500);
    expect(stranger.received.length).toBeLessThanOrEqual(BEFORE_BAN);
    stranger.close();
  });

  describe.skipIf(toolMissing('svmap', 'sipvicious'))('with the scanners of SIPVicious', () => {
    const target = (): string => `udp://${pbx.sip.host}:${pbx.sip.port}`;

    /** A phone that has nothing to do with it. */
    async function honestRegistration(): Promise<void> {
      const phone = await Phone.open({
        server: pbx.sip,
        user: '101',
        password: PASSWORD,
        host: village.guest(guests++),
      });
      expect(await phone.register()).toBe(200);
      expect(await phone.unregister()).toBe(200);
      phone.close();
    }

    it('svmap finds nothing (T2)', async () => {
      const before = await bans();
      const { out } = await village.run('svmap', ['-p', String(pbx.sip.port), pbx.sip.host], 60_000);
      expect(out).toContain('found nothing');
      expect(await bans()).toBe(before + 1);
    });

    it.each([
      ['REGISTER', 1],
      ['INVITE', 2],
      ['OPTIONS', 3],
    ] as const)('svwar with %s finds no extension (T2)', async (method, person) => {
      village.speakAs(person);
      const before = await bans();
      const words = ['-e100-199', '-m', method, '--force', target()];
      const scan = village.run('svwar', words, 60_000);
      await wait(300);
      await honestRegistration();
      const { out } = await scan;
      expect(out).not.toMatch(/^\| 1\d\d/m);
      expect(await bans()).toBe(before + 1);
    });

    it('svcrack does not find a password that is on its list (T3)', async () => {
      village.speakAs(4);
      const before = await bans();
      const folder = mkdtempSync(join(tmpdir(), 'dialtree-words-'));
      const words = Array.from({ length: 3_000 }, (_, index) =>
        index === 2_499 ? PASSWORD : `word${index}`,
      );
      writeFileSync(join(folder, 'words'), `${words.join('\n')}\n`);
      const crack = village.run('svcrack', ['-u', '100', '-d', join(folder, 'words'), target()], 60_000);
      await wait(300);
      await honestRegistration();
      const { out } = await crack;
      rmSync(folder, { recursive: true });
      expect(out).not.toContain(PASSWORD);
      expect(await bans()).toBe(before + 1);
    });
  });

  it('one packet in, at most one packet out, and never a big one; no sound before the ACK (T9)', async () => {
    await wait(Math.max(0, askedMs + 35_000 - performance.now()));
    expect(third.received).toEqual([]);
    expect(
      caller.messages().filter(({ method, status: code }) => code === null && method === 'BYE').length,
    ).toBeGreaterThan(0);
    const codes = asked.map(({ method, stranger }) => [method, stranger.received.map(statusOf)]);
    expect(Object.fromEntries(codes)).toEqual({
      INVITE: [401],
      REGISTER: [401],
      SUBSCRIBE: [401],
      // No answer discloses that a service is here (T2).
      OPTIONS: [],
      MESSAGE: [405],
      PUBLISH: [405],
      NOTIFY: [405],
      REFER: [405],
    });
    for (const { method, stranger, bytes } of asked) {
      const back = stranger.received.reduce((sum, { bytes: { length } }) => sum + length, 0);
      expect(back, `${method} of ${bytes} bytes`).toBeLessThanOrEqual(
        bytes * (method === 'REGISTER' || method === 'SUBSCRIBE' ? 2 : 1.5),
      );
      stranger.close();
    }
    third.close();
    caller.close();
  });

  it('nothing is left of them', async () => {
    expect(await callsLeft(pbx)).toEqual(NOTHING_LEFT);
  });
});

const statusOf = ({ bytes }: Datagram): number | null => readSip(bytes.toString('latin1'))?.status ?? null;

/** Ten numbers in each of twenty countries, written in four ways. */
function numbers(): string[] {
  const countries = [1, 7, 20, 27, 30, 33, 40, 44, 49, 53, 86, 212, 234, 371, 373, 381, 675, 882, 960, 992];
  const forms = [
    (number: string) => `+${number}`,
    (number: string) => `00${number}`,
    (number: string) => `900${number}`,
    (number: string) => number,
  ];
  return countries.flatMap((country) =>
    Array.from(
      { length: 10 },
      (_, index) => forms[index % forms.length]?.(`${country}90012345${index}`) ?? '',
    ),
  );
}
