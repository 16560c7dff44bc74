// Answers with account data must not stay in a browser's or a proxy's cache (T46): every operation, every failure, raw HTTP errors.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Seeded, seed } from '../api/support/accounts.ts';
import { fetchDocument, fill, operationsOf } from '../api/support/document.ts';
import { ROWS } from '../api/support/matrix-rows.ts';
import { figure } from '../support/figure.ts';
import { call } from '../support/service.ts';

/** Static files: the console's, and those of the interactive documentation. */
const STATIC = new Set(['docs', 'docsAsset', 'docsErrors']);

describe('answers in caches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
  let seeded: Seeded;
  beforeAll(async () => {
    seeded = await seed({ environment: async () => ({ DATA_DIR: folder }) });
  });
  afterAll(async () => {
    await seeded?.service.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('T46: every answer of the API says no-store, failures too', async () => {
    const { url } = seeded.service;
    const stored: string[] = [];
    let asked = 0;
    for (const { id, method, path } of operationsOf(await fetchDocument(url))) {
      const row = ROWS[id];
      if (STATIC.has(id) || !row || id === 'followCalls') continue;
      const body = row.body === undefined ? {} : { body: row.body };
      for (const token of [seeded.a, 'no such token', null]) {
        const reply = await call(url, method, fill(path, row.params?.(seeded) ?? {}), { token, ...body });
        asked += 1;
        if (reply.headers.get('cache-control') !== 'no-store') stored.push(`${id} ${reply.status}`);
      }
    }
    expect(stored).toEqual([]);
    figure('T46', `${asked} answers of all operations, none without Cache-Control: no-store`);
  });

  test('T46: a record that is unchanged is 304 and no-store; raw HTTP errors are no-store; static files keep their caching', async () => {
    const { service, a, onlyA } = seeded;
    const path = `/v1/team/${onlyA.team}`;
    const created = await call(service.url, 'POST', '/v1/team', { token: a, body: { name: 'Cached' } });
    const own = created.status === 201 ? `/v1/team/${created.json.id}` : path;
    const first = await call(service.url, 'GET', own, { token: a });
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    const again = await call(service.url, 'GET', own, { token: a, headers });
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'no-store']);
    expect(await raw(service.url, 'nonsense\r\n\r\n')).toContain('Cache-Control: no-store');
    expect(await raw(service.url, 'GET /v1/agents HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\n\r\n')).toContain(
      'cache-control: no-store',
    );
    const docs = await call(service.url, 'GET', '/docs', { token: null });
    expect(docs.headers.get('cache-control')).toBe('no-cache');
    const page = await call(service.url, 'GET', '/', { token: null });
    const [asset = ''] = /\/console\/assets\/[^"]+/.exec(page.text) ?? [];
    const { headers: ofAsset } = await call(service.url, 'GET', asset, { token: null });
    expect(ofAsset.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});

function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', () => undefined);
  });
}
