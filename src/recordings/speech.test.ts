// Both engines against the contract: a program, and an HTTP service.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseNetwork } from '../safe-fetch/network.ts';
import { makeSafeFetch } from '../safe-fetch/safe-fetch.ts';
import { httpSpeech } from './http-speech.ts';
import { speechContract } from './speech.contract.ts';
import { espeak } from './speech.ts';

const LIMIT_MS = 300;

speechContract('a program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-engine-'));
  const program = (name: string, script: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const env = { PATH: process.env['PATH'] };
  return {
    engine: espeak(program('speaks', 'printf RIFF; cat'), env),
    broken: espeak(program('breaks', 'exit 3'), env),
    slow: espeak(program('sleeps', 'exec sleep 300'), env, LIMIT_MS),
    absent: espeak(join(folder, 'nothing'), env),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly [member: string]: unknown };
}

async function httpBed(asked: Asked[] = []) {
  const answers: Readonly<Record<string, (response: ServerResponse, input: string) => void>> = {
    '/v1/audio/speech': (response, input) => void response.end(`RIFF${input}`),
    '/broken': (response) => void response.writeHead(500).end('RIFF'),
    '/slow': () => undefined,
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text) as Asked['body'];
    asked.push({ headers: request.headers, body });
    answers[request.url ?? '']?.(response, String(body['input']));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const safeFetch = makeSafeFetch({ allow: [parseNetwork('127.0.0.1')].filter((each) => each !== null) });
  const at = (path: string, more: object = {}) =>
    httpSpeech({ url: `${base}${path}`, model: 'tts-1', ...more }, safeFetch.fetchSafely);
  return {
    at,
    engine: at('/v1/audio/speech'),
    broken: at('/broken'),
    slow: at('/slow', { timeoutMs: LIMIT_MS }),
    absent: httpSpeech({ url: 'http://127.0.0.1:9/', model: 'tts-1' }, safeFetch.fetchSafely),
    close: async () => {
      safeFetch.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

speechContract('an HTTP service', () => httpBed());

it('an HTTP service is asked by the convention, with its key', async () => {
  const asked: Asked[] = [];
  const bed = await httpBed(asked);
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-speech-'));
  try {
    const engine = bed.at('/v1/audio/speech', { key: 'secret', voice: 'alloy' });
    await engine.speak({ text: 'Hello', voice: 'en', speed: 80 }, join(folder, 'a'));
    expect(asked[0]?.headers['authorization']).toBe('Bearer secret');
    expect(asked[0]?.body).toEqual({
      model: 'tts-1',
      input: 'Hello',
      voice: 'alloy',
      response_format: 'wav',
      speed: 0.5,
    });
    // An address that is not on the open internet, and not allowed.
    const closed = makeSafeFetch({ allow: [] });
    const refused = httpSpeech({ url: 'http://127.0.0.1:9/', model: 'm' }, closed.fetchSafely);
    expect(await refused.speak({ text: 'x', voice: 'en', speed: 160 }, join(folder, 'b'))).toBe(
      'unavailable',
    );
    closed.close();
  } finally {
    await bed.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
