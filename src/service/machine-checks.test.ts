import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { type Config, readConfig } from '../config/config.ts';
import { kept, machineChecks } from './machine-checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers OPTIONS as a SIP server does. */
async function sipServer(): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()));
  socket.on('message', (bytes, { port, address }) =>
    socket.send(bytes.toString('latin1').replace(/^OPTIONS .*/, 'SIP/2.0 200 OK'), port, address),
  );
  return socket;
}

const configOf = (environment: Record<string, string>): Config =>
  readConfig({ MAX_CALLS: '10', ...environment }) as Config;

it('the ports of the service are asked, and one that does not answer is an error with its name', async () => {
  const server = await sipServer();
  const { port } = server.address();
  const report = async () => ({
    listening: [`udp 127.0.0.1:${port}`],
    streams: 0,
    readyStreams: 384,
    browserPort: null,
  });
  const parts = { config: configOf({ SIP_HOST: '0.0.0.0' }), report, failed: vi.fn() };
  const codes = async () => (await machineChecks(parts)()).map(({ code }) => code);
  expect(await codes()).not.toContain('sip-port-silent');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const found = await machineChecks(parts)();
  expect(found.find(({ code }) => code === 'sip-port-silent')).toMatchObject({
    values: { port: `UDP ${port}` },
    message: expect.stringContaining('phones and trunks cannot call'),
  });
  expect(parts.failed).not.toHaveBeenCalled();
});

it('a service without telephones, or whose telephones do not answer, has no findings about ports', async () => {
  const none = { failed: () => undefined, report: () => Promise.reject(new Error('away')) };
  const codes = async (environment: Record<string, string>) =>
    (await machineChecks({ ...none, config: configOf(environment) })()).map(({ code }) => code);
  expect(await codes({ SIP: 'off' })).toEqual([]);
  expect(await codes({})).toEqual(['address-local']);
});

it('a sound store that cannot be written is an error', async () => {
  const file = join(folder, 'no-folder');
  writeFileSync(file, '');
  const parts = { failed: () => undefined, report: async () => null };
  const codes = async (path: string) =>
    (await machineChecks({ ...parts, config: configOf({ SIP: 'off', SOUND_STORE: path }) })()).map(
      ({ code, values }) => [code, values['place']],
    );
  expect(await codes(join(file, 'sounds'))).toEqual([['sound-store-unusable', join(file, 'sounds')]]);
  expect(await codes(folder)).toEqual([]);
});

it('a look is made once for all who ask, is kept, and is not waited for without an end', async () => {
  let looks = 0;
  let finish: (found: readonly string[]) => void = () => undefined;
  const look = (): Promise<readonly string[]> => {
    looks += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const ask = kept(look, 60_000, () => undefined);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([[], [], []]);
  finish(['wrong']);
  expect(await ask()).toEqual(['wrong']);
  expect(await ask()).toEqual(['wrong']);
  expect(looks).toBe(1);
});

it('what was found stays where a later look fails', async () => {
  const outcomes = [async () => ['wrong'], () => Promise.reject(new Error('no'))];
  const failed = vi.fn();
  const ask = kept(() => (outcomes.shift() ?? (async () => []))(), 0, failed);
  expect(await ask()).toEqual(['wrong']);
  expect(await ask()).toEqual(['wrong']);
  expect(failed).toHaveBeenCalledOnce();
  expect(await ask()).toEqual([]);
});
