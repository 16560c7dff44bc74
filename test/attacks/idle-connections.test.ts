// Strangers who occupy TCP connections: each sends one REGISTER without credentials, then nothing.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhoneBed } from '../calls/support/phone-bed.ts';
import { requestText } from '../hostile/support/sip-probe.ts';
import { wait } from '../hostile/support/stranger.ts';
import { figure } from '../support/figure.ts';
import { extension } from '../support/pbx.ts';

const ADDRESSES = 17;
const PER_ADDRESS = 256;
const ALL = ADDRESSES * PER_ADDRESS;
const AT_ONCE = 128;

let bed: PhoneBed;
const sockets: Socket[] = [];

beforeEach(async () => {
  bed = await PhoneBed.open({ agents: { '1001': {} }, numbers: { '71001': extension('1001') } });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await bed.close();
});

async function occupy(localAddress: string): Promise<void> {
  const { host, port } = bed.tcp;
  const socket = connect({ host, port, localAddress });
  sockets.push(socket);
  await new Promise<void>((resolve) => {
    socket.on('error', () => resolve()).on('close', () => resolve());
    socket.on('data', () => resolve());
    socket.once('connect', () => {
      const from = { host: localAddress, port: socket.localPort ?? 0 };
      socket.write(requestText('REGISTER', bed.tcp, from).replace('/UDP', '/TCP'));
    });
  });
}

describe.each([
  ['of one network', (index: number) => `127.0.0.${2 + index}`],
  ['of as many networks', (index: number) => `127.7.${index}.1`],
])(`T39: ${ALL} idle TCP connections from ${ADDRESSES} addresses`, (where, addressOf) => {
  it(`T39: ${where}: a phone registers over TCP and is called`, async () => {
    for (let index = 0; index < ALL; index += AT_ONCE) {
      const address = addressOf(Math.floor(index / PER_ADDRESS));
      await Promise.all(Array.from({ length: AT_ONCE }, () => occupy(address)));
    }
    await wait(200);
    const left = sockets.filter(({ destroyed }) => !destroyed).length;
    expect(left).toBeGreaterThan(0);
    const startMs = performance.now();
    const phone = await bed.agent('1001', { server: bed.tcp, transport: 'tcp' });
    const registeredMs = performance.now() - startMs;
    const call = await bed.dial('71001', { phone: { server: bed.tcp, transport: 'tcp' } });
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    // A registered phone does not give way to strangers.
    for (let index = 0; index < ADDRESSES; index++)
      await Promise.all(Array.from({ length: AT_ONCE }, () => occupy(addressOf(index))));
    await call.hangUp();
    await incoming.ended();
    const again = await bed.dial('71001');
    await (await phone.incoming()).answer();
    await again.answered();
    figure(
      'T39',
      `${where}: ${left} of ${ALL} connections held; a phone registered in ${Math.round(registeredMs)} ms`,
    );
  });
});
