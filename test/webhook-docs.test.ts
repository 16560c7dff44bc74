// docs/webhooks.md and the code hold each other: its example verifies its test vectors, its table has every event.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CALL_EVENT_TYPES } from '../src/kinds/webhook.ts';
import { TOLERANCE_S, verifyWebhook } from '../src/kit/webhook-signature.ts';
import { TIMEOUT_MS } from '../src/notifications/webhook-delivery.ts';

const text = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8');
const [, secret = ''] = /secret `(whsec_[^`]+)`/.exec(text) ?? [];
const [, timestamp = ''] = /the timestamp `(\d+)`/.exec(text) ?? [];
const vectors = [...text.matchAll(/^\| `([^`]+)` \| `([^`]*)`{1,2} \| `(v1,[^`]+)` \|$/gm)].map(
  ([, id = '', body = '', signature = '']) => ({
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
  }),
);
const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the example of the document answers, one by one. */
function answers(questions: readonly (readonly unknown[])[]): boolean[] {
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  const file = join(folder, 'example.mjs');
  const ask = `console.log(JSON.stringify(${JSON.stringify(questions)}.map((one) => isGenuine(...one))));`;
  writeFileSync(file, `${example}\n${ask}\n`);
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' })) as boolean[];
}

test('there are three test vectors, and our own verifier takes them', () => {
  expect(vectors).toHaveLength(3);
  for (const { headers, body } of vectors)
    expect(verifyWebhook({ secret, headers, body, nowMs: Number(timestamp) * 1000 })).toEqual({ ok: true });
});

test('the example takes the test vectors, and nothing that is forged, changed or old', () => {
  const now = Number(timestamp);
  const other = `whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}`;
  const [first] = vectors;
  if (!first) throw new Error('There is no vector.');
  const { headers, body } = first;
  const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
  expect(answers(vectors.map((one) => [secret, one.headers, one.body, now]))).toEqual([true, true, true]);
  expect(
    answers([
      [secret, both, body, now + TOLERANCE_S],
      [other, headers, body, now],
      [secret, headers, `${body} `, now],
      [secret, headers, body, now + TOLERANCE_S + 1],
      [secret, headers, body, now - TOLERANCE_S - 1],
      [secret, { ...headers, 'webhook-timestamp': 'x' }, body, now],
      [secret, { ...headers, 'webhook-signature': undefined }, body, now],
      [secret, {}, body, now],
    ]),
  ).toEqual([true, false, false, false, false, false, false, false]);
});

test('the table has every event, and the figures are those of the code', () => {
  const [, table = ''] = /## Events\n([\s\S]*?)\n`events`/.exec(text) ?? [];
  expect([...table.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, type]) => type)).toEqual([...CALL_EVENT_TYPES]);
  expect(text).toContain(`It has ${TIMEOUT_MS / 1000} s to respond`);
  expect(text).toContain(`older than ${TOLERANCE_S} s`);
});
