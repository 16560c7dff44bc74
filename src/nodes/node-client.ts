// Asks other nodes: one signed POST per question, with bounds on its time, its answer and the questions under way.
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { TelephonesUnavailable } from '../calls/control/call-control.ts';
import { type NodeQuestion, writeQuestion } from './node-question.ts';
import type { Peer } from './peers.ts';
import { ANSWER_HEADER, isNodeAnswer, NODE_PATH, signNodeRequest } from './signature.ts';

/** The time limit of a command or a list; the caller has an answer within 2 s. */
export const ASK_MS = 1_500;
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** To one node. */
const MAX_UNDER_WAY = 256;
/** After a question without an answer the node is not asked again for so long: a silent node does not make every request slow. */
const SILENT_MS = 1_000;

export interface NodeClientParts {
  readonly key: Uint8Array;
  /** The id of this node. */
  readonly id: string;
  /** Another node refuses or answers what cannot be read: a fault of the installation, not of the network. */
  readonly refused: (facts: {
    readonly node: string;
    readonly status: number;
    readonly answer: string;
  }) => void;
}

interface PeerLoad {
  underWay: number;
  silentUntilMs: number;
}

export class NodeClient {
  readonly #parts: NodeClientParts;
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: 64 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: 64 }),
  };
  /** By start of a node. */
  readonly #loads = new Map<string, PeerLoad>();

  constructor(parts: NodeClientParts) {
    this.#parts = parts;
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  /** Loads of nodes that are gone are dropped. */
  keep(peers: readonly Peer[]): void {
    for (const run of this.#loads.keys())
      if (!peers.some((peer) => peer.run === run)) this.#loads.delete(run);
  }

  /** Rejects with TelephonesUnavailable: whether the node did what was asked is not known. */
  async ask(peer: Peer, question: NodeQuestion, withinMs = ASK_MS): Promise<unknown> {
    const load = this.#loads.get(peer.run) ?? { underWay: 0, silentUntilMs: 0 };
    this.#loads.set(peer.run, load);
    if (load.underWay >= MAX_UNDER_WAY || performance.now() < load.silentUntilMs) throw unavailable(peer);
    load.underWay += 1;
    try {
      return await this.#send(peer, writeQuestion(question), withinMs);
    } catch (error) {
      // A node that refuses one question answers the others: one account's must not cut off all.
      if (!(error instanceof NodeRefused)) load.silentUntilMs = performance.now() + SILENT_MS;
      throw error instanceof TelephonesUnavailable ? error : unavailable(peer);
    } finally {
      load.underWay -= 1;
    }
  }

  async #send(peer: Peer, body: string, withinMs: number): Promise<unknown> {
    const url = new URL(NODE_PATH, peer.url);
    const signed = signNodeRequest(this.#parts.key, {
      from: this.#parts.id,
      to: peer,
      body,
      nowMs: Date.now(),
    });
    const headers = {
      ...signed,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(withinMs) };
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: this.#agents.https })
        : httpRequest(url, { ...options, agent: this.#agents.http });
    const { status, bytes, signature } = await answerOf(request, body);
    const isSigned = status === 200 && isNodeAnswer(this.#parts.key, signed, bytes, signature);
    if (isSigned) return resultOf(bytes.toString());
    const answer = status === 200 ? 'not signed by that node' : bytes.toString('utf8', 0, 500);
    this.#parts.refused({ node: peer.id, status, answer });
    throw new NodeRefused(`Node ${peer.id} does not answer.`);
  }
}

/** The node was reached; what came is of no use. */
export class NodeRefused extends TelephonesUnavailable {}

const unavailable = ({ id }: Peer): TelephonesUnavailable =>
  new TelephonesUnavailable(`Node ${id} does not answer.`);

function resultOf(text: string): unknown {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || !('result' in answer))
    throw new NodeRefused('answer without a result');
  return answer.result;
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly signature: unknown;
}

function answerOf(request: ClientRequest, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on('error', reject);
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_ANSWER_BYTES) response.destroy(new NodeRefused('answer too large'));
        else pieces.push(piece);
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          bytes: Buffer.concat(pieces),
          signature: response.headers[ANSWER_HEADER],
        }),
      );
    });
    request.end(body);
  });
}
