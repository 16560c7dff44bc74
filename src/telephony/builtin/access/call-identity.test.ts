import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_BODY, type SipRequest } from '../../../sip/message.ts';
import { parseNameAddr } from '../../../sip/name-addr.ts';
import { NO_PARAMS } from '../../../sip/params.ts';
import type { Peer } from '../../telephony.ts';
import { callerOf, dialledOf, userOf } from './call-identity.ts';

const TRUNK: Peer = { kind: 'trunk', id: 'acme/t1' };
const LOCAL: Peer = { kind: 'local' };

function invite(
  headers: readonly (readonly [string, string])[],
  { from = '"From" <sip:+4417@example.com>', to = '<sip:100@us.example>', uri = 'sip:100@us.example' } = {},
): SipRequest {
  const addr = (text: string) => parseNameAddr(text) ?? { display: '', uri: '', params: NO_PARAMS };
  return {
    kind: 'request',
    method: 'INVITE',
    uri,
    headers,
    body: NO_BODY,
    via: { transport: 'UDP', host: 'a', port: 0, branch: 'b', params: NO_PARAMS },
    from: addr(from),
    to: addr(to),
    callId: 'c',
    cseq: { number: 1, method: 'INVITE' },
  };
}

const caller = (peer: Peer, ...headers: (readonly [string, string])[]) => callerOf(invite(headers), peer, '');

describe('the caller of a trunk’s call', () => {
  it('is the one of P-Asserted-Identity, P-Preferred-Identity, Remote-Party-ID or From, in that order', () => {
    const headers: (readonly [string, string])[] = [
      ['remote-party-id', '"Remote" <sip:+3@h>;party=calling'],
      ['p-preferred-identity', '"Preferred" <sip:+2@h>'],
      ['p-asserted-identity', '"Asserted" <sip:+1@h>'],
    ];
    expect(caller(TRUNK, ...headers)).toEqual({ caller: '+1', callerName: 'Asserted' });
    expect(caller(TRUNK, ...headers.slice(0, 2))).toEqual({ caller: '+2', callerName: 'Preferred' });
    expect(caller(TRUNK, ...headers.slice(0, 1))).toEqual({ caller: '+3', callerName: 'Remote' });
    expect(caller(TRUNK)).toEqual({ caller: '+4417', callerName: 'From' });
  });

  it('is believed from trunks alone', () => {
    const asserted = ['p-asserted-identity', '"A" <sip:+1;verstat=TN-Validation-Passed@h>'] as const;
    const diverted = ['diversion', '<sip:+2@h>;reason=user-busy'] as const;
    expect(caller(LOCAL, asserted, diverted)).toEqual({ caller: '+4417', callerName: 'From' });
    expect(callerOf(invite([asserted, diverted]), { kind: 'phone', id: 'acme/1' }, '1001')).toEqual({
      caller: '1001',
      callerName: 'From',
    });
  });

  it('is the number of two asserted values, with the name of either', () => {
    const one = (value: string) => caller(TRUNK, ['p-asserted-identity', value]);
    expect(one('"Ann" <sip:ann@h>, <tel:+4930;verstat=TN-Validation-Passed>')).toMatchObject({
      caller: '+4930',
      callerName: 'Ann',
      identity: { verstat: 'passed' },
    });
    expect(one('<tel:+4930>, "Ann" <sip:030@h>')).toEqual({ caller: '+4930', callerName: 'Ann' });
    expect(
      caller(TRUNK, ['p-asserted-identity', '<sip:ann@h>'], ['p-asserted-identity', '<tel:+4930>']),
    ).toEqual({ caller: '+4930', callerName: 'From' });
    // What stands behind a value that cannot be read is left out, what stands before it is not.
    expect(one('<tel:+4930>, "broken <sip:')).toMatchObject({ caller: '+4930' });
    expect(one('"broken <sip:')).toEqual({ caller: '+4417', callerName: 'From' });
  });

  it('has no number or name where privacy is asked for', () => {
    const withheld = { caller: null, callerName: '' };
    const asserted = ['p-asserted-identity', '"Ann" <tel:+4930>'] as const;
    for (const privacy of ['id', 'ID;critical', 'header; user', 'user, id', 'full'])
      expect(caller(TRUNK, asserted, ['privacy', privacy])).toEqual(withheld);
    for (const privacy of ['none', 'session', 'void', 'identity'])
      expect(caller(TRUNK, asserted, ['privacy', privacy]).caller).toBe('+4930');
    expect(caller(LOCAL, ['privacy', 'id'])).toEqual(withheld);
    expect(caller(TRUNK, ['remote-party-id', '<sip:+3@h>;privacy=full'])).toEqual(withheld);
    expect(caller(TRUNK, asserted, ['remote-party-id', '<sip:+3@h>;privacy="full"'])).toEqual(withheld);
    expect(caller(TRUNK, ['remote-party-id', '"R" <sip:+3@h>;privacy=name'])).toEqual({
      caller: '+3',
      callerName: '',
    });
    expect(caller(TRUNK, ['remote-party-id', '"R" <sip:+3@h>;party=called']).caller).toBe('+4417');
    expect(caller(TRUNK, ['p-asserted-identity', '<sip:anonymous@anonymous.invalid>'])).toEqual(withheld);
  });
});

describe('the verification of a caller', () => {
  const verstat = (text: string) => caller(TRUNK, ['p-asserted-identity', text]).identity;

  it('stands in the user part, in the URI or behind it', () => {
    for (const text of [
      '<sip:+1;verstat=TN-Validation-Failed@h;user=phone>',
      '<sip:+1@h;user=phone;verstat=TN-Validation-Failed>',
      '<sip:+1@h>;verstat=TN-Validation-Failed',
      '<tel:+1;cpc=ordinary;VERSTAT=tn-validation-failed>',
      'tel:+1;verstat=TN-Validation-Failed',
    ])
      expect([text, verstat(text)?.verstat]).toEqual([text, 'failed']);
  });

  it('is one of three, with the attestation where it is given', () => {
    const both = (word: string) => {
      const { verstat: check, attestation } = verstat(`<sip:+1;verstat=${word}@h>`) ?? {};
      return [check, attestation];
    };
    expect(both('TN-Validation-Passed')).toEqual(['passed', null]);
    expect(both('TN-Validation-Passed-A')).toEqual(['passed', 'A']);
    expect(both('TN-Validation-Passed-C-Diverted')).toEqual(['passed', 'C']);
    expect(both('No-TN-Validation')).toEqual(['none', null]);
    expect(both('anything')).toEqual([undefined, undefined]);
    const indicated = caller(TRUNK, ['p-attestation-indicator', 'b']).identity;
    expect(indicated).toMatchObject({ verstat: null, attestation: 'B' });
  });

  it('failed when either From or the asserted identity says so', () => {
    const from = '<sip:+1;verstat=TN-Validation-Failed@h>';
    const headers = [['p-asserted-identity', '<sip:+1;verstat=TN-Validation-Passed@h>']] as const;
    expect(callerOf(invite(headers, { from }), TRUNK, '').identity?.verstat).toBe('failed');
    expect(callerOf(invite([], { from }), TRUNK, '').identity?.verstat).toBe('failed');
    expect(callerOf(invite([], { from }), LOCAL, '').identity).toBeUndefined();
  });
});

describe('the way of a call', () => {
  it('has who diverted it, and why', () => {
    const headers = [
      ['diversion', '<sip:+1@h>;reason=no-answer;privacy=off, <tel:+2>;reason="user-busy";privacy=full'],
      ['diversion', '<sip:3@h>'],
    ] as const;
    expect(caller(TRUNK, ...headers).identity?.diversions).toEqual([
      { number: '+1', reason: 'no-answer' },
      { number: null, reason: 'user-busy' },
      { number: '3', reason: '' },
    ]);
  });

  it('has where it was sent, and why it left', () => {
    const text =
      '<sip:+1@h?Reason=SIP%3Bcause%3D302%3Btext%3D%22Moved%22>;index=1, <sip:+2@h;cause=486>;index=1.1;rc=1, ' +
      '<sip:+3@h?Privacy=history&Reason=Q.850%3Bcause%3D17>;index=1.1.1';
    expect(caller(TRUNK, ['history-info', text]).identity?.history).toEqual([
      { number: '+1', index: '1', cause: 302 },
      { number: '+2', index: '1.1', cause: 486 },
      { number: null, index: '1.1.1', cause: 17 },
    ]);
  });
});

describe('what was dialled', () => {
  const dialled = (uri: string, to: string, ...headers: (readonly [string, string])[]) => {
    const read = dialledOf(invite(headers, { uri, to: `<${to}>` }));
    return [read.dialled, ...read.alsoDialled];
  };

  it('is of the Request-URI, else of P-Called-Party-ID, else of To', () => {
    expect(dialled('sip:user@us', 'sip:+49@us', ['p-called-party-id', '"Us" <sip:+48@us>'])).toEqual([
      'user',
      '+48',
      '+49',
    ]);
    expect(dialled('sip:us.example', 'tel:+49')).toEqual(['', '+49']);
    expect(dialled('sip:+49@us', 'sip:+49@elsewhere')).toEqual(['+49']);
    expect(dialled('tel:+49;npdi;rn=+48', 'sip:+49@us')).toEqual(['+49']);
  });

  it('is without parameters, except the phone-context of a local number', () => {
    expect(userOf('sip:+49;npdi;rn=+48;cic=0123@h')).toBe('+49');
    expect(userOf('sip:30123;phone-context=+49;ext=7@h;user=phone')).toBe('30123;phone-context=+49');
    expect(userOf('tel:030%20123;isup-oli=62')).toBe('030 123');
    expect(userOf('sip:alice;day=tuesday@h')).toBe('alice');
    expect(userOf('urn:service:sos')).toBe('');
  });
});

describe('identity headers of strangers', () => {
  const names = ['p-asserted-identity', 'p-preferred-identity', 'remote-party-id', 'privacy', 'diversion'];
  const more = ['history-info', 'p-called-party-id', 'p-attestation-indicator'];
  const pieces = fc.constantFrom(
    ...'< > ; , " @ : ? & = % + sip: tel: verstat= privacy= cause= index= full id 7 %00 %3B \t \u0661 \ud83d'.split(
      ' ',
    ),
  );
  const hostile = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.tuple(pieces, fc.nat(4000)).map(([piece, times]) => `<sip:+1@h>,${piece.repeat(times)}`),
  );

  it('are read in bounded time into bounded values without control characters', () => {
    const lines = fc.array(fc.tuple(fc.constantFrom(...names, ...more), hostile), { maxLength: 12 });
    fc.assert(
      fc.property(lines, hostile, (headers, user) => {
        const request = { ...invite(headers), uri: `sip:${user}@h` };
        const read = { ...callerOf(request, TRUNK, ''), ...dialledOf(request) };
        const { diversions = [], history = [] } = read.identity ?? {};
        expect(diversions.length).toBeLessThanOrEqual(5);
        expect(history.length).toBeLessThanOrEqual(10);
        const texts = [
          read.caller ?? '',
          read.callerName,
          read.dialled,
          ...read.alsoDialled,
          ...diversions.flatMap(({ number, reason }) => [number ?? '', reason]),
          ...history.flatMap(({ number, index }) => [number ?? '', index]),
        ];
        for (const text of texts) {
          expect(text.length).toBeLessThanOrEqual(120);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
          expect(text).not.toMatch(/[\u0000-\u001f\u007f]/);
        }
      }),
      { numRuns: 150 },
    );
  });
});
