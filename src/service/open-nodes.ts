// This node among the others: what it asks them, and what they may ask of it.
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Lifecycle } from '../api/http/handler.ts';
import type { NodeRequests } from '../api/http/node-route.ts';
import type { CallControl } from '../calls/control/call-control.ts';
import type { Config } from '../config/config.ts';
import { derivedKey } from '../kit/sealing.ts';
import { AllNodes } from '../nodes/all-nodes.ts';
import { askMachines, type Machines } from '../nodes/machines.ts';
import { NodeClient } from '../nodes/node-client.ts';
import { NodeServer, type NodeServerParts, type SoundPart } from '../nodes/node-server.ts';
import { Peers } from '../nodes/peers.ts';
import { NodeSignatures } from '../nodes/signature.ts';
import type { NodeIdentity } from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resources } from './resources.ts';

const WARN_MS = 60_000;

export interface NodesParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly storage: Pick<Storage, 'listNodes'>;
  readonly node: NodeIdentity;
  readonly lifecycle: Lifecycle;
  /** Null if SIP is off. */
  readonly own: () => CallControl | null;
  readonly soundPart: NodeServerParts['soundPart'];
  readonly machine: NodeServerParts['machine'];
}

export interface OpenedNodes {
  /** Null if no node has telephones. */
  readonly callControl: () => CallControl | null;
  /** Null if this process is alone. */
  readonly requests: NodeRequests | null;
  /** How many nodes are alive, this one included. */
  readonly live: () => number;
  /** What all nodes say of their machines. */
  readonly machines: () => Promise<Machines>;
  /** Null if the node does not run, or this process is alone. Rejects with TelephonesUnavailable while it does not answer. */
  soundOf(node: string): NodeServerParts['soundPart'] | null;
}

export async function openNodes(parts: NodesParts, resources: Resources): Promise<OpenedNodes> {
  const { config, node, own, machine, lifecycle } = parts;
  const others = config.cluster ? openOthers(parts, resources) : null;
  const all = resources.add(new AllNodes({ own, id: node.id, others }), (opened) => opened.close());
  if (others) {
    await others.peers.start();
    // A node that drains does not wait for what others wait for.
    lifecycle.endless.add(() => others.requests.server.relays.wakeAll());
  }
  const live = (): number => 1 + (others?.peers.live.length ?? 0);
  return {
    callControl: () => (all.hasTelephones ? all.control : null),
    requests: others?.requests ?? null,
    live,
    machines: () => askMachines({ id: node.id, own: machine, others }),
    soundOf: (id) => {
      const peer = others?.peers.live.find((each) => each.id === id);
      if (!others || !peer) return null;
      return async (account, recording, from, bytes) => {
        const question = { op: 'soundOf', account, id: recording, from, bytes } as const;
        return (await others.client.ask(peer, question)) as SoundPart;
      };
    },
  };
}

function openOthers(
  { config, logger, storage, node, lifecycle, own, soundPart, machine }: NodesParts,
  resources: Resources,
): { peers: Peers; client: NodeClient; requests: NodeRequests } {
  // Without SECRET_KEY no other node can have the same key: each refuses the others, and says so.
  const key = derivedKey(config, 'node requests') ?? randomBytes(32);
  const warn = seldom((facts: object, message: string) => logger.warn(facts, message));
  const client = new NodeClient({
    key,
    id: node.id,
    refused: (facts) => warn(facts, 'another node refuses the requests of this one'),
  });
  resources.add(client, (opened) => opened.close());
  const peers = new Peers({
    storage,
    id: node.id,
    failed: (err) => warn({ err }, 'nodes not read from the database; retrying'),
  });
  resources.add(peers, (opened) => opened.close());
  const server = new NodeServer({
    own,
    soundPart,
    machine,
    isDraining: () => lifecycle.state === 'draining',
  });
  resources.add(server, (opened) => opened.close());
  return { peers, client, requests: { signatures: new NodeSignatures(key, node), server } };
}

/** Once a minute per message: it may come with every request. */
function seldom(warn: (facts: object, message: string) => void): typeof warn {
  const lastMs = new Map<string, number>();
  return (facts, message) => {
    const nowMs = performance.now();
    if (nowMs - (lastMs.get(message) ?? Number.NEGATIVE_INFINITY) < WARN_MS) return;
    lastMs.set(message, nowMs);
    warn(facts, message);
  };
}
