import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workOf } from '../../test/support/work.ts';
import { sdpOf } from './dialogs/body.ts';
import { TestBed, write } from './testing/test-bed.ts';

const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\n';
const SDP_PART = `Content-Type: application/sdp\r\n\r\n${SDP}`;
const ISUP_PART =
  'Content-Type: application/ISUP;version=itu-t92+;base=itu-t92+\r\nContent-Disposition: signal;handling=required\r\n\r\n\x01\x00\x20\x0a\r\n--b\x00';
const MIXED = 'multipart/mixed;boundary=unique-1';

const body = (parts: readonly string[], boundary = 'unique-1'): string =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;

const read = (text: string, type = MIXED): string | null =>
  sdpOf({ headers: [['content-type', type]], body: Buffer.from(text, 'latin1') })?.toString('latin1') ?? null;

describe('the SDP of a multipart body', () => {
  it.each([
    ['before ISUP', body([SDP_PART, ISUP_PART]), MIXED],
    ['behind ISUP', body([ISUP_PART, SDP_PART]), MIXED],
    ['behind a preamble', `a preamble --unique-1\r\n${body([SDP_PART])}`, MIXED],
    ['in a quoted boundary', body([SDP_PART], '=_a b:1'), 'Multipart/Mixed; charset=x; Boundary="=_a b:1"'],
    ['without the last delimiter', body([ISUP_PART, SDP_PART]).replace('\r\n--unique-1--\r\n', ''), MIXED],
    ['in lines that end with LF alone', body([SDP_PART]).replaceAll('\r\n\r\n', '\n\n'), MIXED],
    [
      'in a multipart within',
      body([ISUP_PART, `Content-Type: multipart/related;boundary=in\r\n\r\n${body([SDP_PART], 'in')}`]),
      MIXED,
    ],
    [
      'that is preferred',
      body([SDP_PART.replace('1 1', '9 9'), SDP_PART]),
      'multipart/alternative;boundary=unique-1',
    ],
    [
      'of the session, not of early media',
      body([
        SDP_PART.replace('application/sdp', 'application/sdp\r\nContent-Disposition: early-session').replace(
          '1 1',
          '9 9',
        ),
        SDP_PART.replace('\r\n', '\r\nContent-Disposition: Session; handling=required\r\n'),
      ]),
      MIXED,
    ],
  ])('is found %s', (_where, text, type) => {
    expect(read(text, type)?.trimEnd().replaceAll('\r\n', '\n')).toBe(SDP.trimEnd().replaceAll('\r\n', '\n'));
  });

  it.each([
    ['no part is SDP', body([ISUP_PART]), MIXED],
    ['the boundary is missing', body([SDP_PART]), 'multipart/mixed'],
    [
      'the boundary is too long',
      body([SDP_PART], 'x'.repeat(71)),
      `multipart/mixed;boundary=${'x'.repeat(71)}`,
    ],
    ['it is the seventeenth part', body([...Array<string>(16).fill(ISUP_PART), SDP_PART]), MIXED],
    ['it is encoded', body([SDP_PART.replace('\r\n', '\r\nContent-Transfer-Encoding: base64\r\n')]), MIXED],
    ['it is empty', body(['Content-Type: application/sdp\r\n\r\n']), MIXED],
  ])('is none where %s', (_why, text, type) => {
    expect(read(text, type)).toBeNull();
  });

  it('is looked for in any bytes without an error', () => {
    const piece = fc.constantFrom(
      '--unique-1',
      '--unique-1--',
      '\r\n',
      '\n',
      SDP_PART,
      MIXED,
      '-',
      ':',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const found = read(pieces.join(''));
        expect(found === null || found.length > 0).toBe(true);
      }),
    );
  });

  it.each([
    ['delimiters alone', '--unique-1\r\n'],
    ['beginnings of delimiters', '\r\n--unique-1x'],
    ['lines of a header', '--unique-1\r\na: b\r\n'],
  ])('is looked for in %s in work that grows with them at most', async (_, text) => {
    const [few = 0, many = 0] = await workOf<typeof import('./multipart.ts')>(
      new URL('./multipart.ts', import.meta.url),
      [540, 5_400].map((count) => (module) => {
        const body = Buffer.from(text.repeat(count));
        expect(module.sdpPart(body, MIXED)).toBeNull();
      }),
    );
    expect(few).toBeGreaterThan(50);
    expect(many / few).toBeLessThan(15);
  });
});

describe('an INVITE with a multipart body', () => {
  it('is a call with that offer', () => {
    const bed = new TestBed();
    const call = bed.established({ body: body([ISUP_PART, SDP_PART]), type: MIXED });
    expect(sdpOf(call.session.invite)).toBeNull();
    expect(call.invite.statuses).toContain(200);
    const again = call.request('INVITE', { body: body([SDP_PART]), type: MIXED });
    expect(call.listener.log.at(-1)).toBe(`offered ${SDP}`);
    expect(again.statuses.filter((status) => status >= 300)).toEqual([]);
  });

  it('is refused with 415 where its parts cannot be told apart', () => {
    const bed = new TestBed();
    bed.receive(write('INVITE', { body: body([SDP_PART]), type: 'multipart/mixed' }));
    expect(bed.transactions.stateless.map(({ status }) => status)).toEqual([415]);
  });
});
