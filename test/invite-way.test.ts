// The way of an INVITE from its datagram to the flow, as ARCHITECTURE.md shows it: the files on the stack when `step` begins.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { office } from '../src/calls/testing/office.ts';
import type { step } from '../src/flow/step.ts';
import { openBuiltin } from '../src/telephony/builtin/builtin.ts';
import { Phone } from './support/phone/phone.ts';

const MAX_FILES = 25;
const MAX_LAYERS = 5;

const stacks = vi.hoisted((): string[] => []);
vi.mock('../src/flow/step.ts', async (original) => {
  const real = await original<{ step: typeof step }>();
  const recorded: typeof step = (...given) => {
    if (given[2].type === 'call-started') stacks.push(new Error('the way').stack ?? '');
    return real.step(...given);
  };
  return { ...real, step: recorded };
});

const close: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each();
});

/** Files of src/ by their first frame, from the socket on. */
function filesOf(stack: string): string[] {
  const found = [...stack.matchAll(/\/src\/([\w/-]+\.ts)/g)].map(([, path]) => path ?? '');
  return [...new Set(found.reverse())];
}

/** Transports, transactions, user agent, telephony, calls. */
const layerOf = (path: string): string =>
  /^(?:sip\/(?:transports|transactions)|telephony|calls)(?=\/)/.exec(path)?.[0] ?? path;

it('passes the files that ARCHITECTURE.md shows, and no more than five layers', async () => {
  const { switchboard } = office();
  const telephony = await openBuiltin({
    listen: [
      { protocol: 'udp', host: '127.0.0.1', port: 0, hostVariable: 'SIP_HOST', portVariable: 'SIP_PORT' },
    ],
    advertisedAddress: undefined,
    realm: 'dialtree',
    digests: ['MD5'],
    isOpenAddress: () => true,
    user: switchboard,
    logger: pino({ level: 'silent' }),
    media: {
      host: '127.0.0.1',
      ports: { from: 31_000, to: 31_099 },
      workers: 1,
      adapter: 'auto',
      rtpTimeoutMs: 30_000,
    },
    limits: { maxCalls: 10, maxCallsPerSecond: 0 },
    readSound: async () => null,
  });
  close.push(() => telephony.close());
  switchboard.environment.use(telephony);
  const port = Number(telephony.report().listening[0]?.split(':').at(-1));
  const phone = await Phone.open({ server: { host: '127.0.0.1', port } });
  close.push(() => phone.close());
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  close.push(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  await phone.call('100');
  await vi.waitFor(() => expect(stacks).toHaveLength(1));
  const passed = [...filesOf(stacks[0] ?? ''), 'flow/step.ts'];
  const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## A call, file by file');
  const [, table = ''] = section.split('```');
  expect([...table.matchAll(/[\w/-]+\.ts/g)].map(([path]) => path)).toEqual(passed);
  expect(passed.length).toBeLessThanOrEqual(MAX_FILES);
  expect([...new Set(passed.slice(0, -1).map(layerOf))].length).toBeLessThanOrEqual(MAX_LAYERS);
});
