// Requests between nodes are signed: HMAC-SHA256 with a key derived from SECRET_KEY over method, path, receiver, sender, time, nonce and
// the hash of the body. The receiver is one start of one node, so a request that was heard on the wire is worth nothing elsewhere or
// after a restart, and a second time its nonce is known. The answer is signed over the signature of its request: it counts for that
// request alone.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const NODE_PATH = '/internal/v1/node';
/** How far the clocks of two nodes may be apart, and how long a request is valid. */
export const MAX_SKEW_MS = 30_000;
/** Nonces of one generation: some 1,600 requests per second from all nodes together. */
export const MAX_NONCES = 100_000;

/** A node by its id and its start. */
export interface NodeName {
  readonly id: string;
  readonly run: string;
}

const nameOf = ({ id, run }: NodeName): string => `${id}/${run}`;

const FORMS = {
  'dialtree-from': /^[a-z0-9-]{1,40}$/,
  'dialtree-to': /^[a-z0-9-]{1,40}\/[A-Za-z0-9-]{1,64}$/,
  'dialtree-time': /^\d{1,15}$/,
  'dialtree-nonce': /^[A-Za-z0-9_-]{22}$/,
  'dialtree-body': /^[0-9a-f]{64}$/,
  'dialtree-signature': /^[0-9a-f]{64}$/,
} as const;
type HeaderName = keyof typeof FORMS;
export type NodeHeaders = Readonly<Record<HeaderName, string>>;

const hashOf = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');

function signatureOf(key: Uint8Array, headers: Omit<NodeHeaders, 'dialtree-signature'>): Buffer {
  const parts = ['dialtree-to', 'dialtree-from', 'dialtree-time', 'dialtree-nonce', 'dialtree-body'] as const;
  const text = ['v1', 'POST', NODE_PATH, ...parts.map((name) => headers[name])].join('\n');
  return createHmac('sha256', key).update(text).digest();
}

export function signNodeRequest(
  key: Uint8Array,
  { from, to, body, nowMs }: { from: string; to: NodeName; body: string; nowMs: number },
): NodeHeaders {
  const headers = {
    'dialtree-from': from,
    'dialtree-to': nameOf(to),
    'dialtree-time': String(Math.floor(nowMs)),
    'dialtree-nonce': randomBytes(16).toString('base64url'),
    'dialtree-body': hashOf(body),
  };
  return { ...headers, 'dialtree-signature': signatureOf(key, headers).toString('hex') };
}

/** The header with the signature of an answer. */
export const ANSWER_HEADER = 'dialtree-answer';

export function signNodeAnswer(key: Uint8Array, request: NodeHeaders, body: string | Uint8Array): string {
  const text = ['v1', 'answer', request['dialtree-signature'], hashOf(body)].join('\n');
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Whether the node that has the key wrote this answer to this request. */
export function isNodeAnswer(
  key: Uint8Array,
  request: NodeHeaders,
  body: Uint8Array,
  signature: unknown,
): boolean {
  if (typeof signature !== 'string' || !FORMS['dialtree-signature'].test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signNodeAnswer(key, request, body)));
}

export type NodeRefusal =
  /** Not signed at all. */
  | 'unsigned'
  /** Meant for another node, or for a former start of this one. */
  | 'receiver'
  | 'signature'
  | 'clock'
  | 'replay'
  /** More requests within MAX_SKEW_MS than nonces are kept. */
  | 'full';

export interface Signed {
  readonly from: string;
  /** Whether these are the bytes that were signed. */
  isBody(bytes: Uint8Array): boolean;
  /** The value of ANSWER_HEADER. */
  signAnswer(body: string): string;
}

/** Checks requests to this node before their body is read. */
export class NodeSignatures {
  readonly #key: Uint8Array;
  readonly #own: string;
  readonly #maxNonces: number;
  #nonces = new Set<string>();
  #formerNonces = new Set<string>();
  #turnedMs = 0;

  constructor(key: Uint8Array, own: NodeName, maxNonces = MAX_NONCES) {
    this.#key = key;
    this.#maxNonces = maxNonces;
    this.#own = nameOf(own);
  }

  check(headers: Readonly<Record<string, unknown>>, nowMs: number): Signed | NodeRefusal {
    const given = wellFormed(headers);
    if (!given) return 'unsigned';
    if (given['dialtree-to'] !== this.#own) return 'receiver';
    const signature = Buffer.from(given['dialtree-signature'], 'hex');
    if (!timingSafeEqual(signature, signatureOf(this.#key, given))) return 'signature';
    if (Math.abs(nowMs - Number(given['dialtree-time'])) > MAX_SKEW_MS) return 'clock';
    const refusal = this.#spendNonce(given['dialtree-nonce'], nowMs);
    if (refusal) return refusal;
    const hash = given['dialtree-body'];
    return {
      from: given['dialtree-from'],
      isBody: (bytes) => hashOf(bytes) === hash,
      signAnswer: (body) => signNodeAnswer(this.#key, given, body),
    };
  }

  /** Only signed requests come here: others cannot fill it. A nonce is kept for at least as long as its time is valid. */
  #spendNonce(nonce: string, nowMs: number): 'replay' | 'full' | null {
    if (Math.abs(nowMs - this.#turnedMs) > 2 * MAX_SKEW_MS) {
      this.#formerNonces = this.#nonces;
      this.#nonces = new Set();
      this.#turnedMs = nowMs;
    }
    if (this.#nonces.has(nonce) || this.#formerNonces.has(nonce)) return 'replay';
    if (this.#nonces.size >= this.#maxNonces) return 'full';
    this.#nonces.add(nonce);
    return null;
  }
}

function wellFormed(headers: Readonly<Record<string, unknown>>): NodeHeaders | null {
  const names = Object.keys(FORMS) as HeaderName[];
  const isGood = names.every((name) => {
    const value = headers[name];
    return typeof value === 'string' && FORMS[name].test(value);
  });
  return isGood ? (headers as unknown as NodeHeaders) : null;
}
