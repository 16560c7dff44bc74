// The console as the service serves it, over HTTP. What each file is sent as is in src/api/pages/console.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, type SharedService, sharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';
import { roundTrip } from './support/wire.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.remove());
const ask = (method: string, path: string, headers = {}) =>
  call(service.url, method, path, { token: null, headers });

it('/ is a page for anybody, with every header that keeps it safe', async () => {
  const { status, headers, text } = await ask('GET', '/');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toMatch(/^<!doctype html>/i);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('set-cookie')).toBeNull();
  // Nothing inline: the policy would not run it.
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
});

it('HEAD is like GET, without the page', async () => {
  // As it is: fetch would ask for it compressed.
  const identity = { 'accept-encoding': 'identity' };
  const { status, headers, text } = await ask('HEAD', '/', identity);
  expect([status, text]).toEqual([200, '']);
  const page = await ask('GET', '/', identity);
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(page.text));
});

it('every file that the page names is there, and kept for good', async () => {
  const { text } = await ask('GET', '/');
  const assets = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  for (const path of assets) {
    const { status, headers } = await ask('GET', path, { 'accept-encoding': 'br' });
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('cache-control')).toContain('immutable');
  }
});

it.each([
  '/console/',
  '/console/nothing.js',
  '/console/index.html',
  '/console/assets/nothing.js',
  '/console/..%2F..%2Fpackage.json',
  '/console/assets/..%2F..%2F..%2Fpackage.json',
  '/console/..%5C..%5Cpackage.json',
  '/console/%2E%2E/package.json',
  '/index.html',
])('there is nothing at %s', async (path) => {
  expectFailure(await ask('GET', path), 'path_unknown');
});

it('nor by a path that a client has not put in order', async () => {
  for (const path of ['/console/../package.json', '/console/assets/../../package.json', '//etc/passwd']) {
    const reply = await roundTrip(
      service.url,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([path, reply.status]).toEqual([path, 404]);
  }
});

it('it takes no other method', async () => {
  const reply = await ask('POST', '/');
  expectFailure(reply, 'method_not_allowed');
  expect(reply.headers.get('allow')).toBe('GET, HEAD');
});
