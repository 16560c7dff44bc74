import { describe, expect, it } from 'vitest';
import { type DigestSecret, DigestServer, expectedResponse, hashOf, type Verdict } from './digest.ts';
import { DigestClient } from './digest-client.ts';
import { parseDigest } from './digest-header.ts';
import { NO_BODY, type SipRequest, type SipResponse } from './message.ts';
import { NO_ADDR } from './name-addr.ts';
import { NonceCounts } from './nonce-counts.ts';
import { NO_VIA } from './via.ts';

const REALM = 'dialtree';
const URI = 'sip:pbx.example.com';
const common = { via: NO_VIA, from: NO_ADDR, to: NO_ADDR, callId: 'c', body: NO_BODY };

function register(authorization: string, uri = URI): SipRequest {
  const cseq = { number: 1, method: 'REGISTER' };
  return {
    kind: 'request',
    method: 'REGISTER',
    uri,
    headers: [['authorization', authorization]],
    cseq,
    ...common,
  };
}

function unauthorized(...challenges: string[]): SipResponse {
  const headers = challenges.map((each) => ['www-authenticate', each] as const);
  return {
    kind: 'response',
    status: 401,
    reason: '',
    headers,
    cseq: { number: 1, method: 'REGISTER' },
    ...common,
  };
}

function secretOf(password: string, algorithm: DigestSecret['algorithm'] = 'MD5'): DigestSecret {
  const text = `1001:${REALM}:${password}`;
  return { md5: hashOf('MD5', text), sha256: hashOf('SHA-256', text), algorithm };
}

function phone(password = 'secret', realm: string | null = REALM): DigestClient {
  return new DigestClient({ username: '1001', password, realm });
}

interface Setting {
  readonly server: DigestServer;
  readonly clock: { now: number };
}

function setting(mostNonces = 100): Setting {
  const clock = { now: 1_000 };
  return { clock, server: new DigestServer({ realm: REALM, mostNonces, now: () => clock.now }) };
}

function check(server: DigestServer, header: string, secret: DigestSecret | null, uri = URI): Verdict {
  const request = register(header, uri);
  const answer = server.answerOf(request);
  return answer === null ? { ok: false, stale: false } : server.verify(request, answer, secret);
}

function answered(
  server: DigestServer,
  client: DigestClient,
  algorithm: DigestSecret['algorithm'] = 'MD5',
): string {
  return client.answer(unauthorized(server.challenge(algorithm)), 'REGISTER', URI)?.[1] ?? '';
}

const YES = { ok: true };
const NO = { ok: false, stale: false };
const STALE = { ok: false, stale: true };

describe('DigestServer', () => {
  it('says in every challenge whether the nonce was stale', () => {
    const { server } = setting();
    const stale = (challenge: string) => /stale=(\w+)/.exec(challenge)?.[1];
    expect([stale(server.challenge()), stale(server.challenge('MD5', true))]).toEqual(['false', 'true']);
  });

  it('takes no answer for another realm, and finds its own among several', () => {
    const { server } = setting();
    const foreign = new DigestServer({ realm: 'elsewhere' });
    const other = phone('secret', null).answer(unauthorized(foreign.challenge()), 'REGISTER', URI)?.[1] ?? '';
    expect(other).toContain('realm="elsewhere"');
    expect(server.answerOf(register(other))).toBeNull();
    const both = register(other);
    const headers = [...both.headers, ['authorization', answered(server, phone())] as const];
    expect(server.answerOf({ ...both, headers })?.fields.get('realm')).toBe(REALM);
    expect(server.answerOf(register(`Digest realm="${REALM}"`))).toBeNull();
  });

  it('accepts the right password by either algorithm, and no other (RFC 7616, RFC 8760)', () => {
    const { server } = setting();
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      expect(check(server, answered(server, phone(), algorithm), secretOf('secret', algorithm))).toEqual(YES);
      expect(
        check(server, answered(server, phone('wrong'), algorithm), secretOf('secret', algorithm)),
      ).toEqual(NO);
      expect(check(server, answered(server, phone(), algorithm), null)).toEqual(NO);
    }
    expect(check(server, answered(server, phone(), 'MD5'), secretOf('secret', 'SHA-256'))).toEqual(NO);
  });

  it('finds the nonce of another process with the same key stale if the password is right, and wrong otherwise', () => {
    const key = new Uint8Array(32).fill(1);
    const [one, other] = [new DigestServer({ realm: REALM, key }), new DigestServer({ realm: REALM, key })];
    expect(check(other, answered(one, phone()), secretOf('secret'))).toEqual(STALE);
    expect(check(other, answered(one, phone('wrong')), secretOf('secret'))).toEqual(NO);
    expect(check(other, answered(one, phone()), null)).toEqual(NO);
    expect(check(one, answered(one, phone()), secretOf('secret'))).toEqual(YES);
    const stranger = new DigestServer({ realm: REALM, key: new Uint8Array(32).fill(2) });
    expect(check(one, answered(stranger, phone()), secretOf('secret'))).toEqual(NO);
  });

  it('counts in hexadecimal: a phone may use its nonce a tenth and a sixteenth time', () => {
    const { server } = setting();
    const client = phone();
    expect(check(server, answered(server, client), secretOf('secret'))).toEqual(YES);
    for (let count = 2; count <= 17; count++) {
      const header = client.authorize('REGISTER', URI)?.[1] ?? '';
      expect(header).toContain(`nc=${count.toString(16).padStart(8, '0')}`);
      expect(check(server, header, secretOf('secret'))).toEqual(YES);
    }
  });

  it('refuses the same count twice, and takes counts that overtake each other', () => {
    const { server } = setting();
    const client = phone();
    const secret = secretOf('secret');
    const first = answered(server, client);
    const [second, third] = [client.authorize('REGISTER', URI), client.authorize('REGISTER', URI)];
    expect(check(server, third?.[1] ?? '', secret)).toEqual(YES);
    expect(check(server, first, secret)).toEqual(YES);
    expect(check(server, second?.[1] ?? '', secret)).toEqual(YES);
    for (const header of [first, second?.[1] ?? '', third?.[1] ?? ''])
      expect(check(server, header, secret)).toEqual(NO);
  });

  it('says stale when the nonce is older than its lifetime, but only to the right password', () => {
    const { server, clock } = setting();
    const right = answered(server, phone());
    const wrong = answered(server, phone('wrong'));
    clock.now += 60_001;
    expect(check(server, right, secretOf('secret'))).toEqual(STALE);
    expect(check(server, wrong, secretOf('secret'))).toEqual(NO);
  });

  it('refuses forged nonces, other realms and other URIs', () => {
    const { server } = setting();
    const secret = secretOf('secret');
    const good = server.challenge();
    const forge = (from: RegExp, to: string): string =>
      phone('secret', null).answer(unauthorized(good.replace(from, to)), 'REGISTER', URI)?.[1] ?? '';
    expect(check(server, forge(/nonce="./, 'nonce="f'), secret)).toEqual(NO);
    expect(check(server, forge(/nonce="[^"]*"/, 'nonce="0"'), secret)).toEqual(NO);
    expect(check(server, forge(/realm="[^"]*"/, 'realm="other"'), secret)).toEqual(NO);
    expect(check(server, answered(server, phone()), secret, 'sip:elsewhere.example.com')).toEqual(NO);
    expect(check(server, answered(setting().server, phone()), secret)).toEqual(NO);
  });

  it('takes an answer without qop, each nonce once', () => {
    const { server } = setting();
    const challenge = server.challenge().replace(', qop="auth"', '');
    const header = phone().answer(unauthorized(challenge), 'REGISTER', URI)?.[1] ?? '';
    expect(header).not.toContain('nc=');
    expect(check(server, header, secretOf('secret'))).toEqual(YES);
    expect(check(server, header, secretOf('secret'))).toEqual(STALE);
  });

  it('forgets nobody into a replay when its memory is full', () => {
    const { server, clock } = setting(2);
    const headers = Array.from({ length: 4 }, () => {
      clock.now += 1;
      return answered(server, phone());
    });
    for (const header of headers) expect(check(server, header, secretOf('secret'))).toEqual(YES);
    expect(headers.map((header) => check(server, header, secretOf('secret')))).toEqual([
      STALE,
      STALE,
      NO,
      NO,
    ]);
  });

  it('refuses malformed answers without throwing', () => {
    const { server } = setting();
    const good = answered(server, phone());
    const bad = [
      'Basic abc',
      'Digest',
      'NoOneKnowsThisScheme opaque-data=here',
      good.replace('nc=00000001', 'nc=0000000g'),
      good.replace('nc=00000001', 'nc=00000000'),
      good.replace('qop=auth', 'qop=auth-int'),
      good.replace(/response="[^"]*"/, 'response="ü"'),
      good.replace(/nonce="[^"]*"/, 'nonce=""'),
      `${good}, ${good}`,
    ];
    for (const header of bad) expect(check(server, header, secretOf('secret'))).toEqual(NO);
  });

  it('challenges everybody with the same fields and the same length', () => {
    const { server } = setting();
    expect(new Set(Array.from({ length: 20 }, () => server.challenge().length)).size).toBe(1);
    expect([...(parseDigest(server.challenge())?.keys() ?? [])]).toEqual([
      'realm',
      'nonce',
      'algorithm',
      'stale',
      'qop',
    ]);
  });
});

describe('NonceCounts', () => {
  it('lets expired nonces go without a timer', () => {
    const counts = new NonceCounts(1_000);
    for (let issued = 0; issued < 500; issued += 1) {
      counts.expire(issued - 10);
      counts.use(`${issued}`, issued, 1);
    }
    expect(counts.size).toBeLessThan(20);
  });

  it('refuses a count that left the window', () => {
    const counts = new NonceCounts(10);
    expect(counts.use('n', 1, 100)).toBe('new');
    expect(counts.use('n', 1, 69)).toBe('new');
    expect(counts.use('n', 1, 68)).toBe('used');
    expect(counts.use('n', 1, 0xffff_ffff)).toBe('new');
    expect(counts.use('n', 1, 100)).toBe('used');
  });
});

describe('DigestClient', () => {
  it('computes the example of RFC 2617 §3.5', () => {
    // The cnonce is ours to choose, so the server's half is checked with the RFC's.
    const fields = parseDigest(
      'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ' +
        'uri="/dir/index.html", qop=auth, nc=00000001, cnonce="0a4f113b", response="6629fae49393a05397450978507c4ef1"',
    );
    const ha1 = hashOf('MD5', 'Mufasa:testrealm@host.com:Circle Of Life');
    expect(expectedResponse(fields ?? new Map(), 'GET', ha1, 'MD5')).toBe('6629fae49393a05397450978507c4ef1');
  });

  it('takes the strongest algorithm it knows (RFC 8760 §2.4)', () => {
    const challenge = (algorithm: string): string =>
      `Digest realm="r", nonce="n", qop="auth", algorithm=${algorithm}`;
    const chosen = (...algorithms: string[]): string | undefined => {
      const header = phone('x', 'r').answer(unauthorized(...algorithms.map(challenge)), 'INVITE', 'sip:a@b');
      return header === null ? undefined : parseDigest(header[1])?.get('algorithm');
    };
    expect(chosen('MD5', 'SHA-256')).toBe('SHA-256');
    expect(chosen('SHA-256-sess', 'MD5')).toBe('SHA-256-sess');
    expect(chosen('MD5', 'SHA-256-sess')).toBe('SHA-256-sess');
    expect(chosen('SHA-512-256', 'MD5')).toBe('MD5');
    expect(chosen('MD5-sess')).toBeUndefined();
  });

  it('returns the opaque text of the challenge as it came (RFC 7616 §3.4)', () => {
    const answer = (text: string) =>
      parseDigest(phone('x', 'r').answer(unauthorized(text), 'INVITE', 'sip:a@b')?.[1] ?? '');
    expect(answer('Digest realm="r", nonce="n", opaque="o 1"')?.get('opaque')).toBe('o 1');
    expect(answer('Digest realm="r", nonce="n"')?.has('opaque')).toBe(false);
  });

  it('answers no other realm, and not the same nonce twice unless it is stale', () => {
    const client = phone('x', null);
    const challenge = 'Digest realm="r", nonce="n", qop="auth"';
    const ask = (text: string): unknown => client.answer(unauthorized(text), 'BYE', 'sip:a@b');
    expect(ask(challenge)).not.toBeNull();
    expect(ask(challenge)).toBeNull();
    expect(ask(`${challenge}, stale=true`)).not.toBeNull();
    expect(ask('Digest realm="other", nonce="m", qop="auth"')).toBeNull();
    expect(ask('Digest realm="r", nonce="m", qop="auth-int"')).toBeNull();
  });
});

it('fields may have blanks around their equals sign and commas', () => {
  const fields = parseDigest(' Digest realm = "a b" , nc\t=\t1');
  expect([...(fields ?? [])]).toEqual([
    ['realm', 'a b'],
    ['nc', '1'],
  ]);
});

it('hashes are those of MD5 (RFC 1321 §A.5) and SHA-256 (FIPS 180-4)', () => {
  expect(hashOf('MD5', 'abc')).toBe('900150983cd24fb0d6963f7d28e17f72');
  expect(hashOf('SHA-256', 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
