// The client as other programs get it: types and CommonJS build of the package, compiled with their settings, not with ours.
import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommonJs } from '../bin/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dialtree-client-'));
const installed = join(folder, 'node_modules/dialtree');

/** What tsc says; nothing when all is right. */
function compile(words: readonly string[]): string {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    return execFileSync(process.execPath, [tsc, ...words], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--types', 'node'];

const PROGRAM = `
import { all, createClient, DialtreeError, type Client } from 'dialtree/client';
import { makeWebhookSecret, isWebhookSecret } from 'dialtree/webhook';

async function main(): Promise<void> {
  const dialtree: Client = createClient({ url: process.argv[2] ?? '', token: 'x' });
  const numbers: string[] = [];
  for await (const { number } of all(dialtree.listNumbers, { limit: 1 })) numbers.push(number);
  const { requestId } = await dialtree.listNumbers({ query: { limit: 1 } }).withHeaders();
  const refused = await dialtree.listAgents().catch((error: unknown) => error instanceof DialtreeError && error.code);
  console.log(JSON.stringify([numbers, requestId, refused, isWebhookSecret(makeWebhookSecret())]));
}
void main();
`;

beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(root, 'package.json'), join(installed, 'package.json'));
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "program", "private": true }');
  await buildCommonJs(installed);
  const types = join(installed, 'dist/types');
  expect(compile(['-p', join(root, 'client'), '--outDir', types])).toBe('');
  cpSync(types, join(installed, 'dist/cjs/types'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['node16', ['--module', 'node16']],
  ['commonjs', ['--module', 'commonjs']],
])('a TypeScript program that compiles to CommonJS uses the client: module %s', async (name, options) => {
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  expect(compile([...STRICT, ...options, '--outDir', name, 'program.ts'])).toBe('');
  expect(readFileSync(join(folder, name, 'program.js'), 'utf8')).toContain('require("dialtree/client")');
  const server = createServer((request, response) => {
    response.setHeader('x-request-id', 'r1');
    if (request.url?.startsWith('/v1/agents')) response.writeHead(401).end('{"Code":"token_invalid"}');
    else response.end(JSON.stringify({ data: [{ number: request.url }], next_cursor: null }));
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name, 'program.js'), url]);
    expect(JSON.parse(stdout)).toEqual([['/v1/numbers?limit=1'], 'r1', 'token_invalid', true]);
  } finally {
    server.close();
  }
});

it('every program in docs/client.md compiles, and the misspelt query there does not', () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(ts|cts)\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(8);
  const files = blocks.map(([, kind = '', text = ''], index) => {
    const file = `doc-${index}.${kind === 'ts' ? 'mts' : 'cts'}`;
    writeFileSync(join(folder, file), text);
    return file;
  });
  expect(compile([...STRICT, '--noEmit', '--module', 'nodenext', ...files])).toBe('');
});
