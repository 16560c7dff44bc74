import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWebhookSecret as isSecretField } from '../kinds/flow-fields.ts';
import {
  isWebhookSecret,
  makeWebhookSecret,
  signWebhook,
  TOLERANCE_S,
  verifyWebhook,
} from './webhook-signature.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const OTHER = 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=';
const AT_MS = 1_797_534_000_000;
const BODY = '{"id":"e1","type":"call.ended","data":{"caller":"grüße"}}';
const delivery = { id: 'e1', atMs: AT_MS, body: BODY };
const headers = { ...signWebhook([SECRET], delivery) };
const verify = (more: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
  verifyWebhook({ secret: SECRET, headers, body: BODY, nowMs: AT_MS, ...more });

describe('a signed delivery', () => {
  it('has the signature that anybody computes from the words of the documentation', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    const expected = createHmac('sha256', key).update(`e1.1797534000.${BODY}`, 'utf8').digest('base64');
    expect(headers).toEqual({
      'webhook-id': 'e1',
      'webhook-timestamp': '1797534000',
      'webhook-signature': `v1,${expected}`,
    });
  });

  it('is verified, as text and as bytes, while it is at most 300 s old or new', () => {
    expect(verify()).toEqual({ ok: true });
    expect(verify({ body: Buffer.from(BODY) })).toEqual({ ok: true });
    expect(verify({ nowMs: AT_MS + TOLERANCE_S * 1000 })).toEqual({ ok: true });
    expect(verify({ nowMs: AT_MS - TOLERANCE_S * 1000 })).toEqual({ ok: true });
  });

  it('is rejected with another key, another body, another id or another time', () => {
    const wrong = { ok: false, reason: 'signature_wrong' };
    expect(verify({ secret: OTHER })).toEqual(wrong);
    expect(verify({ body: `${BODY} ` })).toEqual(wrong);
    expect(verify({ headers: { ...headers, 'webhook-id': 'e2' } })).toEqual(wrong);
    expect(verify({ headers: { ...headers, 'webhook-timestamp': '1797534001' } })).toEqual(wrong);
  });

  it('is rejected when it is older or newer than 300 s', () => {
    expect(verify({ nowMs: AT_MS + 301_000 })).toEqual({ ok: false, reason: 'timestamp_too_old' });
    expect(verify({ nowMs: AT_MS - 301_000 })).toEqual({ ok: false, reason: 'timestamp_too_new' });
  });

  it.each([
    [{}, 'headers_missing'],
    [{ ...headers, 'webhook-signature': undefined }, 'headers_missing'],
    [{ ...headers, 'webhook-id': ['e1', 'e1'] }, 'headers_missing'],
    [{ ...headers, 'webhook-timestamp': '1797534000.0' }, 'timestamp_malformed'],
    [{ ...headers, 'webhook-timestamp': 'NaN' }, 'timestamp_malformed'],
    [{ ...headers, 'webhook-signature': '' }, 'signature_wrong'],
    [{ ...headers, 'webhook-signature': 'v1,' }, 'signature_wrong'],
    [
      { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') },
      'signature_wrong',
    ],
  ])('is rejected with the headers %j', (given, reason) => {
    expect(verify({ headers: given })).toEqual({ ok: false, reason });
  });

  it('is verified with either secret while one replaces the other', () => {
    const both = { ...signWebhook([OTHER, SECRET], delivery) };
    expect(verify({ headers: both })).toEqual({ ok: true });
    expect(verify({ headers: both, secret: OTHER })).toEqual({ ok: true });
  });

  it('is verified for any body and id, and never after one bit of the body changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uuid(), fc.nat(), (text, id, at) => {
        const body = text.toWellFormed();
        const signed = { ...signWebhook([SECRET], { id, atMs: AT_MS, body }) };
        expect(verify({ headers: signed, body })).toEqual({ ok: true });
        const bytes = Buffer.from(`${body}!`);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ 1;
        expect(verify({ headers: signed, body: bytes }).ok).toBe(false);
      }),
    );
  });
});

describe('a secret', () => {
  it('is one for the field, which runs in browsers, where it is one for signatures', () => {
    const text = fc.oneof(
      fc.uint8Array({ minLength: 22, maxLength: 66 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      fc.string({ unit: fc.constantFrom(...'AQgw09+/=_-'), minLength: 30, maxLength: 90 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('', '=', '=='), (base64, more) => {
        const secret = `whsec_${base64.replace(/=+$/, '')}${more}`;
        expect(isSecretField(secret)).toBe(isWebhookSecret(secret));
      }),
    );
  });

  it('that we make is one, and each is another', () => {
    const made = makeWebhookSecret();
    expect([isWebhookSecret(made), isSecretField(made)]).toEqual([true, true]);
    expect(makeWebhookSecret()).not.toBe(makeWebhookSecret());
  });

  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', SECRET.slice(6), `${SECRET}!`, `whsec_${'A'.repeat(200)}`])(
    '"%s" is none',
    (text) => {
      expect([isWebhookSecret(text), isSecretField(text)]).toEqual([false, false]);
      expect(verify({ secret: text })).toEqual({ ok: false, reason: 'secret_malformed' });
    },
  );
});
