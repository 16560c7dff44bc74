import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { iceServersFor } from './turn-credentials.ts';

const NOW_MS = Date.parse('2026-01-01T00:00:00Z');
const urls = [
  'stun:stun.example.org:3478',
  'turn:turn.example.org:3478?transport=udp',
  'turns:turn.example.org:5349',
];

it('TURN credentials say when they end, and are signed by the shared secret', () => {
  const { servers, expiresAtMs } = iceServersFor({ urls, turnSecret: 'north' }, 'acme', NOW_MS);
  const username = `${NOW_MS / 1_000 + 12 * 3_600}:acme`;
  expect(expiresAtMs).toBe(NOW_MS + 12 * 3_600_000);
  expect(servers).toEqual([
    { urls: [urls[0]] },
    {
      urls: urls.slice(1),
      username,
      credential: createHmac('sha1', 'north').update(username).digest('base64'),
    },
  ]);
  expect(JSON.stringify(servers)).not.toContain('north');
});

it('TURN servers are not handed out without a secret', () => {
  expect(iceServersFor({ urls, turnSecret: null }, 'acme', NOW_MS).servers).toEqual([{ urls: [urls[0]] }]);
  expect(iceServersFor({ urls: [], turnSecret: 'north' }, 'acme', NOW_MS).servers).toEqual([]);
});
