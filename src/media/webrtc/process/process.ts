// The process of all browser legs. The library is native code: what crashes it ends these legs and no others, and the service starts
// the process anew. It ends with the service.
import { Bridge } from './bridge.ts';
import type { FromProcess, ProcessOptions, ToProcess } from './messages.ts';
import { OwnAddressRelay } from './own-address-relay.ts';
import { Peer } from './peer.ts';

interface Connection {
  readonly streamPort: number;
  readonly peer: Peer;
}

/** A closed connection's native memory is freed when its wrappers are collected, which the engine, to which they look small, leaves for later. */
const COLLECT_AFTER = 100;

let options: ProcessOptions | null = null;
let bridge: Bridge | null = null;
const connections = new Map<number, Connection>();
/** Which connection a stream has now: the newest that was made. */
const current = new Map<number, number>();

let closed = 0;

const report = (message: FromProcess): void => {
  // Where the service has just ended, nothing is to be said.
  process.send?.(message, undefined, undefined, () => undefined);
};

process.on('message', (message: ToProcess) => {
  if (message[0] === 'start') void start(message[1]);
  else if (message[0] === 'connect') connect(message);
  else close(message[1]);
});
process.on('disconnect', () => process.exit());

async function start(given: ProcessOptions): Promise<void> {
  options = given;
  bridge = await Bridge.open(given.bridgeAddress);
  const { host: address, port, relayed } = given;
  // One that is not to be had is a candidate that does not answer: there are others.
  for (const each of relayed)
    await OwnAddressRelay.open({ address: each, port }, { address, port }).catch(() => undefined);
  report(['started', bridge.port]);
}

function connect([, id, streamPort, ice]: Extract<ToProcess, readonly ['connect', ...unknown[]]>): void {
  if (!options) return;
  try {
    const peer = new Peer(options, ice, {
      changed: (state) => {
        if (state === 'connected') take(id, streamPort, peer);
        report(['state', id, state]);
      },
      received: (packet) => {
        if (current.get(streamPort) === id) bridge?.toStream(streamPort, packet);
      },
    });
    connections.set(id, { streamPort, peer });
  } catch (error) {
    report(['refused', id, error instanceof Error ? error.message : String(error)]);
  }
}

function take(id: number, streamPort: number, peer: Peer): void {
  current.set(streamPort, id);
  bridge?.deliver(streamPort, (packet) => peer.send(packet));
}

function close(id: number): void {
  const connection = connections.get(id);
  if (!connection) return;
  connections.delete(id);
  const { streamPort, peer } = connection;
  if (current.get(streamPort) === id) {
    current.delete(streamPort);
    bridge?.deliver(streamPort, null);
  }
  peer.close();
  closed += 1;
  if (closed % COLLECT_AFTER === 0) globalThis.gc?.();
  if (connections.size === 0) report(['idle', process.memoryUsage.rss()]);
}
