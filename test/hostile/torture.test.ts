// RFC 4475 and RFC 5118 sent to a running service over UDP and TCP: the code of the first response. What the parser alone makes of
// each is in test/sip/torture.test.ts; here registrar, sessions and routing have their say as well.
import { createSocket, type Socket } from 'node:dgram';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Expectation, rfc4475, rfc4475Expected, rfc5118, type Sample } from '../sip/support/corpora.ts';
import { corpusMissing } from '../support/corpora.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { readSip } from '../support/phone/sip-text.ts';
import { TONE_SERVICE } from './support/audio.ts';
import { Probe } from './support/sip-probe.ts';
import { tcpPort, wait } from './support/stranger.ts';

/** What gets no answer is waited for so long. */
const WAIT_MS = 5_000;
const BATCH = 12;

/** An answer is sent to the port of the Via (RFC 3261 §18.2.2): on an address of its own every port can be listened to. */
async function listen(host: string, bytes: Buffer): Promise<{ main: Socket; all: Socket[] }> {
  const text = bytes.toString('latin1');
  const ports = new Set([5060]);
  for (const [, port] of text.matchAll(/^(?:via|v)\s*:.*?:(\d{4,5})\b/gim)) ports.add(Number(port));
  const all = await Promise.all(
    [...ports].map(async (port) => {
      const socket = createSocket('udp4');
      await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(port, host, resolve));
      return socket;
    }),
  );
  const [main] = all;
  if (main === undefined) throw new Error('no port');
  return { main, all };
}

/** The first response that is not provisional. */
async function final(codes: () => readonly number[]): Promise<number | null> {
  for (let waited = 0; waited < WAIT_MS; waited += 20) {
    const code = codes().find((each) => each > 100);
    if (code !== undefined) return code;
    await wait(20);
  }
  return null;
}

type Send = (sample: Sample, index: number) => Promise<number | null>;

const overUdp =
  ({ sip }: Pbx): Send =>
  async ({ bytes }, index) => {
    const { main, all } = await listen(`127.77.${process.pid % 250}.${index + 1}`, bytes);
    const codes: number[] = [];
    for (const socket of all) {
      socket.on('message', (answer) => codes.push(readSip(answer.toString('latin1'))?.status ?? 0));
    }
    main.send(bytes, sip.port, sip.host);
    const code = await final(() => codes);
    for (const socket of all) socket.close();
    return code;
  };

const overTcp =
  (pbx: Pbx): Send =>
  async ({ bytes }) => {
    const socket = connect(tcpPort(pbx), pbx.sip.host);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.write(bytes);
    const code = await final(() =>
      [...text.matchAll(/^SIP\/2\.0 (\d{3})/gm)].map(([, each]) => Number(each)),
    );
    socket.destroy();
    return code;
  };

async function answers(
  samples: readonly Sample[],
  batch: number,
  send: Send,
): Promise<Map<string, number | null>> {
  const codes = new Map<string, number | null>();
  for (let from = 0; from < samples.length; from += batch) {
    const some = samples.slice(from, from + batch);
    const found = await Promise.all(some.map((sample, index) => send(sample, from + index)));
    for (const [index, { name }] of some.entries()) codes.set(name, found[index] ?? null);
  }
  return codes;
}

/**
 * What RFC 4475 leaves open, as this service decides it. A registrar asks who it is before it looks at anything else (RFC 3261 §8.2),
 * so a REGISTER gets 401. mpart01: MESSAGE is not served. clerr over TCP: the rest of the body is waited for.
 */
const OURS: Readonly<Record<string, readonly (number | null)[]>> = {
  mpart01: [405],
  'clerr tcp': [null],
  // Without a Content-Length nobody knows where it ends (RFC 3261 §20.14).
  'inv2543 tcp': [400],
  wsinv: [481],
};
/** What is accepted gets an answer of the layers above: nobody of that name, no such dialog, no media in common, or a welcome. */
const ACCEPTED = [200, 401, 404, 481, 488];

function allowed(name: string, protocol: string, expectation: Expectation): readonly (number | null)[] {
  const ours = OURS[`${name} ${protocol}`] ?? OURS[name];
  if (ours !== undefined) return ours;
  if (expectation.drop) return [null];
  const codes = expectation.codes ?? [];
  return expectation.liberal || codes.length === 0 ? [...codes, ...ACCEPTED] : codes;
}

/** Most messages of RFC 5118 have the same branch, and would be repetitions of each other, or the same by two ways. */
function withOwnBranch({ name, bytes }: Sample, index: number): Sample {
  const text = bytes
    .toString('latin1')
    .replace('z9hG4bKas3', `z9hG4bKas3-${index}`)
    .replace(';tag=81', `;tag=${index}-81`);
  return { name, bytes: Buffer.from(text, 'latin1') };
}

// A service for each: the same branch by another way within half a minute is the same transaction.
describe.skipIf(corpusMissing('sip')).each(['udp', 'tcp'] as const)(
  'torture messages, live over %s',
  (protocol) => {
    let pbx: Pbx;
    beforeAll(async () => {
      pbx = await startPbx(TONE_SERVICE);
    });
    afterAll(() => pbx?.remove());

    it('RFC 4475: each of 49 gets the answer it deserves', async () => {
      const samples = rfc4475();
      const expected = rfc4475Expected();
      expect(samples).toHaveLength(49);
      const codes = await answers(samples, BATCH, protocol === 'udp' ? overUdp(pbx) : overTcp(pbx));
      const wrong = [...codes].filter(([name, code]) => {
        const expectation = expected[name];
        return expectation === undefined || !allowed(name, protocol, expectation).includes(code);
      });
      expect(wrong).toEqual([]);
    });

    it('RFC 5118: each of 12', async () => {
      const codes = await answers(
        rfc5118().map(withOwnBranch),
        BATCH,
        protocol === 'udp' ? overUdp(pbx) : overTcp(pbx),
      );
      expect(Object.fromEntries(codes)).toEqual({
        'ipv4-mapped-ipv6': 488,
        'ipv6-bad': 401,
        'ipv6-bug-abnf-3-colons': 200,
        'ipv6-correct-abnf-2-colons': 200,
        'ipv6-good': 401,
        'ipv6-in-sdp': 488,
        'mult-ip-in-header': 481,
        'mult-ip-in-sdp': 404,
        'port-ambiguous': 401,
        'port-unambiguous': 401,
        'via-received-param-no-delim': 200,
        'via-received-param-with-delim': 481,
      });
    });

    it('is as alive as before, and nothing was thrown', async () => {
      const probe = await Probe.open(pbx.sip);
      await probe.after(null);
      probe.close();
      expect(pbx.log.filter((line) => line.includes('"level":50'))).toEqual([]);
    });
  },
);
