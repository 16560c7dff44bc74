// What one node asks another: the methods of the telephone side that concern one account, and its events. Checked as it arrives, although
// it is signed: during an upgrade nodes of two versions ask each other.
import type { ConsultOrder } from '../calls/transfers.ts';
import type { Ref } from '../flow/node.ts';

export type NodeQuestion =
  | { readonly op: 'callsOf'; readonly account: string }
  | { readonly op: 'hangUp'; readonly account: string; readonly id: string }
  | {
      readonly op: 'transfer';
      readonly account: string;
      readonly id: string;
      readonly party: 'caller' | 'called';
      readonly to: Ref;
      /** The operator's token. */
      readonly by: { readonly id: string; readonly name: string };
    }
  | {
      readonly op: 'consult';
      readonly account: string;
      readonly id: string;
      readonly order: ConsultOrder;
      readonly by: { readonly id: string; readonly name: string };
    }
  | {
      readonly op: 'listenIn';
      readonly account: string;
      readonly id: string;
      readonly eid: string;
      readonly mode: 'monitor' | 'whisper' | 'barge';
    }
  | { readonly op: 'addParty'; readonly account: string; readonly id: string; readonly number: string }
  | {
      readonly op: 'clickToCall';
      readonly account: string;
      readonly id: string;
      readonly eid: string;
      readonly number: string;
    }
  | {
      readonly op: 'placeCall';
      readonly account: string;
      readonly id: string;
      readonly number: string;
      readonly destination: string;
      readonly variables: Readonly<Record<string, string>>;
    }
  | { readonly op: 'roomOf'; readonly account: string; readonly id: string }
  | {
      readonly op: 'changeRoom';
      readonly account: string;
      readonly id: string;
      readonly do: 'lock' | 'unlock' | 'mute' | 'unmute' | 'remove';
      /** Of whom; null where the room itself changes. */
      readonly call: string | null;
    }
  | { readonly op: 'phonesOf'; readonly account: string; readonly eid: string }
  | { readonly op: 'endWrapUp'; readonly account: string; readonly eid: string }
  | { readonly op: 'agentsOf'; readonly account: string; readonly eids: readonly string[] | null }
  | { readonly op: 'liveOf'; readonly account: string }
  /** Disk, certificate and call records of the node itself. */
  | { readonly op: 'machine' }
  | { readonly op: 'trunkState'; readonly account: string; readonly id: string }
  | {
      readonly op: 'queueOf';
      readonly account: string;
      readonly department: Ref;
      readonly eids: readonly string[];
    }
  /** A part of a recorded call or voicemail message in the node's own folder. */
  | {
      readonly op: 'soundOf';
      readonly account: string;
      readonly id: string;
      readonly from: number;
      readonly bytes: number;
    }
  /** Events of the account from now on, in the answers to `next` of the same session. */
  | {
      readonly op: 'follow';
      readonly account: string;
      readonly session: string;
      readonly after: string | null;
    }
  | { readonly op: 'unfollow'; readonly account: string; readonly session: string }
  | { readonly op: 'next'; readonly session: string; readonly withinMs: number };

const TEXT = 256;
const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= TEXT;
const oneOf =
  (...values: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && values.includes(value);
const isOperator = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  isText(value.id) &&
  'name' in value &&
  isText(value.name);

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function isConsultOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  if (value.kind === 'complete' || value.kind === 'cancel') return true;
  const { kind, party, to } = value as Readonly<Record<string, unknown>>;
  return kind === 'begin' && (party === 'caller' || party === 'called') && isText(to);
}

const areTexts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText);

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const FORMS: { readonly [Op in NodeQuestion['op']]: Checks } = {
  callsOf: { account: isText },
  hangUp: { account: isText, id: isText },
  transfer: { account: isText, id: isText, party: oneOf('caller', 'called'), to: isText, by: isOperator },
  consult: { account: isText, id: isText, order: isConsultOrder, by: isOperator },
  listenIn: { account: isText, id: isText, eid: isText, mode: oneOf('monitor', 'whisper', 'barge') },
  addParty: { account: isText, id: isText, number: isText },
  clickToCall: { account: isText, id: isText, eid: isText, number: isText },
  placeCall: { account: isText, id: isText, number: isText, destination: isText, variables: areTexts },
  roomOf: { account: isText, id: isText },
  changeRoom: {
    account: isText,
    id: isText,
    do: oneOf('lock', 'unlock', 'mute', 'unmute', 'remove'),
    call: (value) => value === null || isText(value),
  },
  phonesOf: { account: isText, eid: isText },
  endWrapUp: { account: isText, eid: isText },
  agentsOf: { account: isText, eids: (value) => value === null || isTexts(value) },
  liveOf: { account: isText },
  machine: {},
  trunkState: { account: isText, id: isText },
  queueOf: {
    account: isText,
    department: isText,
    eids: isTexts,
  },
  soundOf: { account: isText, id: isText, from: isCount, bytes: isCount },
  follow: { account: isText, session: isText, after: (value) => value === null || isText(value) },
  unfollow: { account: isText, session: isText },
  next: { session: isText, withinMs: (value) => typeof value === 'number' && value >= 0 },
};

/** Null: not a question that this version knows. */
export function readQuestion(body: Readonly<Record<string, unknown>>): NodeQuestion | null {
  const { op } = body;
  if (typeof op !== 'string' || !Object.hasOwn(FORMS, op)) return null;
  const form = FORMS[op as NodeQuestion['op']];
  const isGood = Object.entries(form).every(([name, check]) => check(body[name]));
  return isGood ? (body as unknown as NodeQuestion) : null;
}
