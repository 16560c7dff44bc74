import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerOf, type SipMessage, type SipRequest } from './message.ts';
import { type Malformed, MOST_HEADER_BYTES, parseMessage } from './parse.ts';
import { writeResponse } from './response.ts';
import { serialize } from './serialize.ts';

/** Any characters, those that mean something in SIP above all. */
const anyChar = fc
  .oneof(
    fc.integer({ max: 0x7f, min: 0 }),
    fc.integer({ max: 0xd7ff, min: 0 }),
    fc.integer({ max: 0x10ffff, min: 0x10000 }),
  )
  .map((code) => String.fromCodePoint(code));

const INVITE = [
  'INVITE sip:1001@pbx.example.com SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.1:5062;branch=z9hG4bK776asdhds;rport',
  'Max-Forwards: 70',
  'From: "Ann" <sip:ann@example.com>;tag=1928301774',
  'To: <sip:1001@pbx.example.com>',
  'Call-ID: a84b4c76e66710',
  'CSeq: 314159 INVITE',
  'Contact: <sip:ann@192.0.2.1:5062>',
  'Content-Type: application/sdp',
  'Content-Length: 5',
  '',
  'v=0\r\n',
].join('\r\n');

function parsed(text: string | Buffer): SipMessage {
  const message = parseMessage(Buffer.from(text as string));
  if (message.kind === 'malformed') throw new Error(`${message.status} ${message.reason}`);
  return message;
}

function request(text: string | Buffer): SipRequest {
  const message = parsed(text);
  if (message.kind !== 'request') throw new Error('a response');
  return message;
}

function malformed(text: string | Buffer): Malformed {
  const message = parseMessage(Buffer.from(text as string));
  if (message.kind !== 'malformed') throw new Error('accepted');
  return message;
}

/** The INVITE with one line replaced, removed or added behind the start line. */
function invite(name: string, ...lines: string[]): string {
  const kept = INVITE.split('\r\n').filter((line, index) => index === 0 || !line.startsWith(`${name}:`));
  kept.splice(1, 0, ...lines);
  return kept.join('\r\n');
}

describe('parseMessage', () => {
  it('takes an INVITE apart', () => {
    const message = request(INVITE);
    expect(message).toMatchObject({
      method: 'INVITE',
      uri: 'sip:1001@pbx.example.com',
      callId: 'a84b4c76e66710',
      cseq: { number: 314159, method: 'INVITE' },
      via: { transport: 'UDP', host: '192.0.2.1', port: 5062, branch: 'z9hG4bK776asdhds' },
      from: { display: 'Ann', uri: 'sip:ann@example.com' },
    });
    expect(message.via.params.get('rport')).toBe('');
    expect(message.from.params.get('tag')).toBe('1928301774');
    expect(message.body.toString()).toBe('v=0\r\n');
    expect(headerOf(message, 'contact')).toBe('<sip:ann@192.0.2.1:5062>');
    expect(headerOf(message, 'content-length')).toBeUndefined();
  });

  it('takes a response apart, also one without a reason', () => {
    const lines = INVITE.split('\r\n').slice(1).join('\r\n');
    expect(parsed(`SIP/2.0 183 Session Progress\r\n${lines}`)).toMatchObject({
      kind: 'response',
      status: 183,
      reason: 'Session Progress',
    });
    expect(parsed(`SIP/2.0 200\r\n${lines}`)).toMatchObject({ status: 200, reason: '' });
    for (const start of ['SIP/2.0 99 x', 'SIP/2.0 700 x', 'SIP/2.0 2000 x', 'SIP/2.0 20x x']) {
      const fault = malformed(`${start}\r\n${lines}`);
      expect(fault).toMatchObject({ status: 400, reason: 'Malformed Status Line', request: null });
    }
  });

  it('gives every Via a header of its own', () => {
    const message = request(
      invite('Via', 'v: SIP/2.0/TCP a;branch=z9hG4bK1 , SIP / 2.0/UDP b;x="1,2"', 'Via: SIP/2.0/UDP c'),
    );
    expect(message.headers.filter(([name]) => name === 'via').map(([, value]) => value)).toEqual([
      'SIP/2.0/TCP a;branch=z9hG4bK1',
      'SIP / 2.0/UDP b;x="1,2"',
      'SIP/2.0/UDP c',
    ]);
    expect(message.via).toMatchObject({ transport: 'TCP', host: 'a', branch: 'z9hG4bK1' });
  });

  it('answers a malformed Via with the lines as they came, once each', () => {
    const fault = malformed(
      invite('Via', 'Via: SIP/2.0/UDP a;branch=z9hG4bK1, SIP/2.0/UDP ;x, SIP/2.0/UDP c'),
    );
    expect(fault.reason).toBe('Malformed Via');
    expect(fault.request?.headers.filter(([name]) => name === 'via').map(([, value]) => value)).toEqual([
      'SIP/2.0/UDP a;branch=z9hG4bK1',
      'SIP/2.0/UDP ;x, SIP/2.0/UDP c',
    ]);
  });

  it.each([
    ['To: <sip:second@example.com>', 'Repeated Header', 'to', 1],
    ['Abc\r\n: x', 'Malformed Header', 'abc', 0],
    ['A bc: x', 'Malformed Header Name', 'a bc', 0],
  ])('keeps nothing of the wrong line %j for the answer', (line, reason, name, count) => {
    const fault = malformed(invite('X', line));
    expect(fault.reason).toBe(reason);
    expect(fault.request?.headers.filter(([each]) => each === name)).toHaveLength(count);
  });

  it('takes no last line without a colon for a header', () => {
    expect(malformed(INVITE.replace('Content-Length: 5', 'Abc')).reason).toBe('Malformed Header');
  });

  it('unfolds lines, knows compact names and lines that end in LF alone', () => {
    const folded = request(invite('Call-ID', 'i :\r\n\t abc', 'Subject: one\r\n   two\r\n three'));
    expect(folded.callId).toBe('abc');
    expect(headerOf(folded, 'subject')).toBe('one two three');
    const unix = request(
      INVITE.replaceAll('\r\n', '\n').replace('Length: 5', 'Length: 4').replace('Ann', 'Änn'),
    );
    expect(unix.body.toString()).toBe('v=0\n');
  });

  it('keeps UTF-8, and takes what is none as Latin-1', () => {
    expect(request(INVITE.replace('Ann', 'Jürgen 大')).from.display).toBe('Jürgen 大');
    expect(request(Buffer.from(INVITE.replace('Ann', 'Jürgen'), 'latin1')).from.display).toBe('Jürgen');
  });

  it('ignores what follows the body of a datagram and refuses one too short (RFC 3261 §18.3)', () => {
    expect(request(`${INVITE}INVITE`).body.toString()).toBe('v=0\r\n');
    expect(malformed(INVITE.slice(0, -1))).toMatchObject({
      status: 400,
      reason: expect.stringContaining('Body'),
    });
    expect(request(invite('Content-Length')).body.toString()).toBe('v=0\r\n');
  });

  it.each([
    ['Max-Forwards: 70', 'Max-Forwards: 256'],
    ['Max-Forwards: 70', 'Max-Forwards: -1'],
    ['CSeq: 314159', 'CSeq: 2147483648'],
    ['CSeq: 314159 INVITE', 'CSeq: 314159 BYE'],
    ['CSeq: 314159 INVITE', 'CSeq: 314159INVITE'],
    ['Content-Length: 5', 'Content-Length: -5'],
    ['Content-Length: 5', 'Content-Length: 5 5'],
    ['Call-ID: a84b4c76e66710', 'Call-ID: a b'],
    ['Call-ID: a84b4c76e66710', 'Call-ID:'],
    ['From: "Ann"', 'From: "Ann'],
    ['To: <sip:1001@pbx.example.com>', 'To: <sip:1001@pbx.example.com>, <sip:1@b>'],
    ['To: <sip:1001@pbx.example.com>', 'To: <sip:1001@pbx.example.com>\r\nt: <sip:1@b>'],
    ['Contact:', 'Contact'],
    ['INVITE sip:1001@pbx.example.com SIP', 'INVITE  sip:1001@pbx.example.com SIP'],
    ['INVITE sip:1001@pbx.example.com SIP', 'INVITE <sip:1001@pbx.example.com> SIP'],
  ])('answers 400 when %s becomes %s', (from, to) => {
    const fault = malformed(INVITE.replace(from, to));
    expect(fault.status).toBe(400);
    const answer = writeResponse(fault.request as SipRequest, { status: 400, toTag: 'x' }).toString();
    expect(answer).toContain('Via: SIP/2.0/UDP 192.0.2.1:5062;branch=z9hG4bK776asdhds;rport\r\n');
  });

  it.each(['From', 'To', 'Call-ID', 'CSeq'])('answers 400 when %s is missing', (name) => {
    const fault = malformed(invite(name));
    expect(fault).toMatchObject({ status: 400, reason: `Missing ${name}`, request: { method: 'INVITE' } });
  });

  it('stays silent on an ACK, and where no Via tells the way back', () => {
    expect(malformed(invite('Via')).request).toBeNull();
    expect(malformed(invite('CSeq').replace('INVITE', 'ACK')).request).toBeNull();
    for (const noise of ['', '\r\n\r\n', '\0\0\0\0', 'hello', '\u{1f600}'])
      expect(malformed(noise).request).toBeNull();
  });

  it('reads headers as UTF-8 whatever bytes the body has', () => {
    const head = invite('X', 'Subject: Grüße').replace(/Content-Length: \d+\r\n\r\n.*/s, '');
    const text = Buffer.concat([Buffer.from(`${head}Content-Length: 2\r\n\r\n`), Buffer.from([0xff, 0xfe])]);
    expect(headerOf(request(text), 'subject')).toBe('Grüße');
    expect(request(text).body).toHaveLength(2);
  });

  it('answers 505 to another version', () => {
    expect(malformed(INVITE.replace('SIP/2.0', 'SIP/7.0'))).toMatchObject({
      status: 505,
      request: { method: 'INVITE' },
    });
  });

  it('bounds the header section, the headers and their lists', () => {
    expect(malformed(invite('X', `X-A: ${'x'.repeat(MOST_HEADER_BYTES)}`)).status).toBe(513);
    // The Via comes behind them, and is not looked at any more.
    expect(malformed(invite('X', ...Array(201).fill('X-A: y')))).toMatchObject({
      status: 513,
      request: null,
    });
    const vias = (count: number) => invite('Via', `Via: ${Array(count).fill('SIP/2.0/UDP a').join(',')}`);
    expect(malformed(vias(71)).status).toBe(400);
    expect(request(vias(70)).via.host).toBe('a');
    expect(
      malformed(INVITE.replace(';tag', ';x=1'.repeat(65)).replaceAll('x=1', () => `x${Math.random()}`))
        .status,
    ).toBe(400);
  });

  it('leaves no CR and no NUL in any value', () => {
    const message = request(invite('X', 'X-A: a\rb\0c'));
    expect(headerOf(message, 'x-a')).toBe('a b c');
  });
});

describe('serialize', () => {
  it('gives back the same bytes of a canonical message', () => {
    expect(serialize(parsed(INVITE)).toString()).toBe(INVITE);
  });

  it('writes any value on its one line', () => {
    const message = request(INVITE);
    const text = serialize({
      ...message,
      uri: 'sip:a\r\nX: 1',
      headers: [['subject', 'a\r\nEvil: 1\0'], ...message.headers, ['content-length', '99']],
    }).toString();
    expect(text).not.toMatch(/^(Evil|X):/m);
    expect(text).not.toContain('\0');
    expect(text.match(/Content-Length/g)).toHaveLength(1);
  });

  it('throws on a header name that would be two lines', () => {
    const message = request(INVITE);
    expect(() => serialize({ ...message, headers: [['x\r\nevil', '1']] })).toThrow('no token');
  });

  it('makes bytes that are parsed to the same value', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.!%*_+`'~-]{1,20}$/);
    const text = fc
      .string({ unit: anyChar, maxLength: 40 })
      .map((each) => each.replace(/[\r\n\0]/g, '').trim());
    const value = text.map((each) => each.replace(/^[\s]+|[\s]+$/g, ''));
    const base = request(INVITE);
    const messages = fc.record({
      method: word,
      names: fc.array(fc.tuple(word, value), { maxLength: 20 }),
      body: fc.uint8Array({ maxLength: 200 }),
      callId: word,
    });
    fc.assert(
      fc.property(messages, ({ method, names, body, callId }) => {
        const headers = [
          ...base.headers.filter(([name]) => name !== 'cseq' && name !== 'call-id'),
          ['cseq', `7 ${method}`] as const,
          ['call-id', callId] as const,
          ...names.map(([name, each]) => [`x-${name.toLowerCase()}`, each] as const),
        ];
        const cseq = { number: 7, method };
        const message = { ...base, method, callId, cseq, headers, body: Buffer.from(body) };
        const again = parseMessage(serialize(message));
        expect(again).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the end of the headers', () => {
  it('is found wherever it stands, and only there', () => {
    for (let pad = 0; pad < 9; pad += 1) {
      const text = INVITE.replace('Max-Forwards: 70', `Max-Forwards: 70\r\nX: ${'x'.repeat(pad)}`);
      expect(parsed(text).body.toString()).toBe('v=0\r\n');
      // The first of two ends it, also when the body holds another.
      const long = text
        .replace('Content-Length: 5', 'Content-Length: 9')
        .replace('v=0\r\n', 'v=0\r\n\r\n\r\n');
      expect(parsed(long).body.toString()).toBe('v=0\r\n\r\n\r\n');
      expect(malformed(text.slice(0, text.indexOf('\r\n\r\n') + 2)).reason).toBe(
        'Header Section Without End',
      );
    }
  });
});

describe('writeResponse', () => {
  const lines = (to: SipRequest, reply: Parameters<typeof writeResponse>[1]): string[] =>
    writeResponse(to, reply).toString().split('\r\n');
  const asked = request(
    invite(
      'X',
      'Record-Route: <sip:p2;lr>',
      'Record-Route: <sip:p1;lr>',
      'Timestamp: 54',
      'Via: SIP/2.0/UDP a',
    ),
  );
  const names = (status: number): string[] =>
    lines(asked, { status, toTag: 't1', headers: [['server', 'x']] }).map((line) => line.split(':')[0] ?? '');

  it('copies what RFC 3261 §8.2.6 wants', () => {
    expect(names(200)).toEqual([
      'SIP/2.0 200 OK',
      'Record-Route',
      'Record-Route',
      'Via',
      'Via',
      'From',
      'To',
      'Call-ID',
      'CSeq',
      'Server',
      'Content-Length',
      '',
      '',
    ]);
    expect(names(100)).toContain('Timestamp');
    expect(names(100)).not.toContain('Record-Route');
    expect(names(486)).not.toContain('Record-Route');
  });

  it('says the reason of a 400 in a Warning too (RFC 3261 §20.43)', () => {
    const warnings = (reply: Parameters<typeof writeResponse>[1]): string[] =>
      lines(asked, reply).filter((line) => line.startsWith('Warning'));
    expect(warnings({ status: 400, reason: 'Malformed CSeq' })).toEqual([
      'Warning: 399 dialtree "Malformed CSeq"',
    ]);
    expect(warnings({ status: 400 })).toEqual([]);
    expect(warnings({ status: 500, reason: 'Out of order' })).toEqual([]);
  });

  it('adds our tag to a To that has none, and never a second', () => {
    expect(lines(asked, { status: 200, toTag: 't1' })).toContain('To: <sip:1001@pbx.example.com>;tag=t1');
    const inDialog = request(
      INVITE.replace('To: <sip:1001@pbx.example.com>', 'To: sip:1001@pbx.example.com;tag=a'),
    );
    expect(lines(inDialog, { status: 200, toTag: 't1' })).toContain('To: sip:1001@pbx.example.com;tag=a');
    expect(lines(asked, { status: 100 })).toContain('To: <sip:1001@pbx.example.com>');
  });

  it('keeps what we say on its line, and writes the length of the body', () => {
    const reply = {
      status: 486,
      reason: 'Busy\r\nEvil: 1',
      headers: [['warning', 'a\nb']] as const,
      body: Buffer.from('äb'),
    };
    const written = lines(asked, reply);
    expect(written[0]).toBe('SIP/2.0 486 Busy  Evil: 1');
    expect(written).toContain('Warning: a b');
    expect(written.slice(-3)).toEqual(['Content-Length: 3', '', 'äb']);
  });
});
