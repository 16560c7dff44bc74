import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../local-addresses.ts';
import { OwnAddressRelay } from './own-address-relay.ts';

// Two addresses of loopback stand for the machine's own one and that of another machine.
const [SERVICE, OWN, STRANGER] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
const opened: { close(): void }[] = [];
let relay: OwnAddressRelay;
let service: Socket;
let port: number;
let received: { text: string; from: RemoteInfo }[];

async function socketAt(address: string, at = 0): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind({ address, port: at });
  await once(socket, 'listening');
  opened.push(socket);
  return socket;
}

const heardBy = (socket: Socket): string[] => {
  const heard: string[] = [];
  socket.on('message', (packet) => heard.push(String(packet)));
  return heard;
};

beforeEach(async () => {
  port = await freePort(SERVICE);
  service = await socketAt(SERVICE, port);
  received = [];
  service.on('message', (packet, from) => received.push({ text: String(packet), from }));
  relay = await OwnAddressRelay.open({ address: OWN, port }, { address: SERVICE, port });
});
afterEach(() => {
  relay.close();
  for (const each of opened.splice(0)) each.close();
});

it('passes packets on, and the answers back to where each came from', async () => {
  const [one, other] = [await socketAt(OWN), await socketAt(OWN)];
  const [heardOne, heardOther] = [heardBy(one), heardBy(other)];
  one.send('of one', port, OWN);
  other.send('of another', port, OWN);
  await expect.poll(() => received.map(({ text }) => text).sort()).toEqual(['of another', 'of one']);
  for (const { text, from } of received) service.send(`answer ${text}`, from.port, from.address);
  await expect.poll(() => heardOne).toEqual(['answer of one']);
  await expect.poll(() => heardOther).toEqual(['answer of another']);
  expect(relay.openSources).toBe(2);
});

it('passes nothing on that another address sends', async () => {
  const stranger = await socketAt(STRANGER);
  stranger.send('of a stranger', port, OWN);
  const own = await socketAt(OWN);
  own.send('of this machine', port, OWN);
  await expect.poll(() => received.map(({ text }) => text)).toEqual(['of this machine']);
  expect(relay.openSources).toBe(1);
});

it('sends back what the service sends, and not what others send to its socket', async () => {
  const own = await socketAt(OWN);
  const heard = heardBy(own);
  own.send('check', port, OWN);
  await expect.poll(() => received.length).toBe(1);
  const inner = received[0]?.from;
  expect(inner?.address).toBe(OWN);
  const stranger = await socketAt(STRANGER);
  stranger.send('not the service', inner?.port ?? 0, OWN);
  service.send('the service', inner?.port ?? 0, OWN);
  await expect.poll(() => heard).toEqual(['the service']);
});
