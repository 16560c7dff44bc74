import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { ApiContext, ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { callButtonScript, consoleAsset, consoleFile, consolePage } from './console.ts';
import { ConsoleFiles, codingsOf } from './console-files.ts';

const SCRIPT = 'export const words = "many";\n'.repeat(200);
const PAGE = '<!doctype html><title>Dialtree</title><p>The console</p>\n'.repeat(5);

let folder: string;
let context: ApiContext;
const FILES: Readonly<Record<string, string>> = {
  'index.html': PAGE,
  'favicon.svg': '<svg/>',
  'manifest.webmanifest': '{"name":"Dialtree"}',
  'call-button.js': 'document.currentScript;',
  'notes.txt': 'not for the world',
  'assets/index-abc123.js': SCRIPT,
  'assets/plain-abc123.css': 'p{color:red}\n'.repeat(100),
  'assets/text-abc123.woff2': 'a font',
  'assets/ring-abc123.wav': 'RIFF',
  'assets/dot-abc123.png': 'PNG',
  'assets/data-abc123.json': '{}',
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dialtree-console-'));
  mkdirSync(join(folder, 'built/assets'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, 'built', name), text);
  // As the build compresses them; one of them it did not.
  for (const name of ['index.html', 'assets/index-abc123.js'])
    writeFileSync(join(folder, 'built', `${name}.br`), brotliCompressSync(FILES[name] ?? ''));
  writeFileSync(join(folder, 'secret.json'), '{}');
  context = { console: new ConsoleFiles(join(folder, 'built')) } as ApiContext;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function get(handler: Handler, file = '', headers: Record<string, string> = {}, from = context) {
  const response = await handler({ params: { file }, headers } as Partial<ApiRequest> as ApiRequest, from);
  return { problem: null, headers: {}, bytes: Buffer.alloc(0), ...response } as Required<
    Pick<ApiResponse, 'status' | 'bytes'>
  > & { headers: Record<string, string>; problem: string | null };
}

describe('the console', () => {
  it('is a page that is asked for again each time, under a policy without inline code', async () => {
    const { status, headers, bytes } = await get(consolePage);
    expect([status, String(bytes)]).toEqual([200, PAGE]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
      vary: 'accept-encoding',
    });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it('is 304 for a client that has it, in the same coding', async () => {
    const first = await get(consolePage, '', { 'accept-encoding': 'br' });
    const etag = first.headers['etag'] ?? '';
    const again = await get(consolePage, '', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(again.headers['content-security-policy']).toBeTruthy();
    expect((await get(consolePage, '', { 'if-none-match': etag })).status).toBe(200);
  });

  it.each([
    ['index-abc123.js', 'text/javascript; charset=utf-8'],
    ['plain-abc123.css', 'text/css; charset=utf-8'],
    ['text-abc123.woff2', 'font/woff2'],
    ['ring-abc123.wav', 'audio/wav'],
    ['dot-abc123.png', 'image/png'],
    ['data-abc123.json', 'application/json; charset=utf-8'],
  ])('%s is kept for good, as %s', async (name, type) => {
    const { status, headers, bytes } = await get(consoleAsset, name);
    expect([status, headers['content-type'], String(bytes)]).toEqual([200, type, FILES[`assets/${name}`]]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('files beside the page, whose names stay, are asked for again', async () => {
    const icon = await get(consoleFile, 'favicon.svg');
    expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
    const manifest = await get(consoleFile, 'manifest.webmanifest');
    expect(manifest.headers['content-type']).toBe('application/manifest+json');
  });

  it('has a script for pages of other origins, which is kept for an hour', async () => {
    const { status, headers } = await get(callButtonScript);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    });
    const again = await get(callButtonScript, '', { 'if-none-match': headers['etag'] ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const unbuilt = { console: new ConsoleFiles(join(folder, 'nowhere')) } as ApiContext;
    expect((await get(callButtonScript, '', {}, unbuilt)).problem).toBe('path_unknown');
  });

  it('is sent as the build compressed it, else by gzip, else as it is', async () => {
    const js = (accept: string) => get(consoleAsset, 'index-abc123.js', { 'accept-encoding': accept });
    const brotli = await js('gzip, deflate, br, zstd');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(String(brotliDecompressSync(brotli.bytes as Buffer))).toBe(SCRIPT);
    const zipped = await js('gzip, br;q=0');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(String(gunzipSync(zipped.bytes as Buffer))).toBe(SCRIPT);
    expect((await js('gzip')).bytes).toBe(zipped.bytes);
    const plain = await js('deflate');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const marks = new Set([brotli, zipped, plain].map(({ headers }) => headers['etag']));
    expect(marks.size).toBe(3);
    // Without what the build makes, and where compressing gains nothing.
    const css = await get(consoleAsset, 'plain-abc123.css', { 'accept-encoding': 'br, gzip' });
    expect(css.headers['content-encoding']).toBe('gzip');
    const font = await get(consoleAsset, 'text-abc123.woff2', { 'accept-encoding': 'br, gzip' });
    expect(font.headers).not.toHaveProperty('content-encoding');
    expect(font.headers).not.toHaveProperty('vary');
  });

  it.each([
    ['..'],
    ['../secret.json'],
    ['..\\secret.json'],
    ['/etc/passwd'],
    ['notes.txt'],
    ['index.html'],
    ['index.html.br'],
    ['assets/index-abc123.js'],
    ['constructor'],
    ['__proto__'],
    [''],
  ])('has no file %j', async (name) => {
    expect((await get(consoleFile, name)).problem).toBe('path_unknown');
    expect((await get(consoleAsset, name)).problem).toBe('path_unknown');
    expect((await get(consoleAsset, `${name}.br`)).problem).toBe('path_unknown');
  });

  it('says how to build it where it is not built, and is there once it is', async () => {
    const later = join(folder, 'later');
    const unbuilt = { console: new ConsoleFiles(later) } as ApiContext;
    const before = await get(consolePage, '', {}, unbuilt);
    expect(before.status).toBe(200);
    expect(String(before.bytes)).toContain('npm ci &amp;&amp; npm run build');
    expect(String(before.bytes)).toContain('href="/docs"');
    expect(String(before.bytes)).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    expect(before.headers['content-security-policy']).toContain("style-src 'self'");
    mkdirSync(later);
    writeFileSync(join(later, 'index.html'), PAGE);
    expect(String((await get(consolePage, '', {}, unbuilt)).bytes)).toBe(PAGE);
  });

  it('does without a file that a new build has removed', async () => {
    const built = join(folder, 'rebuilt');
    mkdirSync(join(built, 'assets'), { recursive: true });
    writeFileSync(join(built, 'assets/old-1.js'), '1');
    writeFileSync(join(built, 'index.html'), PAGE);
    const rebuilt = { console: new ConsoleFiles(built) } as ApiContext;
    await get(consolePage, '', {}, rebuilt);
    rmSync(join(built, 'assets/old-1.js'));
    expect((await get(consoleAsset, 'old-1.js', {}, rebuilt)).problem).toBe('path_unknown');
  });
});

test.each([
  [undefined, []],
  ['', []],
  ['br', ['br']],
  ['gzip;q=0.5 , BR ; q=1', ['br', 'gzip']],
  ['br;q=0, gzip;q=0.0', []],
  ['*', []],
  ['x'.repeat(2000), []],
])('Accept-Encoding %j lets us send %j', (accept, codings) => {
  expect([...codingsOf(accept)].filter((one) => one !== 'identity').sort()).toEqual(codings);
});
