// What one node asks another: operations on calls, their events, and what the node itself has. Checked as it arrives, although it is
// signed: during an upgrade nodes of two versions ask each other.
import { count, duration, orNull, type Reader, readFields, text } from '../calls/control/fields.ts';
import { type AskedOf, isOperation, type OperationName, operationOf } from '../calls/control/operations.ts';

/** Sent as `{ op, ...asked }`. */
export interface OperationQuestion<Name extends OperationName = OperationName> {
  readonly op: Name;
  readonly asked: AskedOf<Name>;
}

/** Beside operations on calls. */
const OTHERS = {
  /** Disk, certificate and call records of the node itself. */
  machine: {},
  /** A part of a recorded call or voicemail message in the node's own folder. */
  soundOf: { account: text, id: text, from: count, bytes: count },
  /** Events of the account from now on, in the answers to `next` of the same session. */
  follow: { account: text, session: text, after: orNull(text) },
  unfollow: { account: text, session: text },
  next: { session: text, withinMs: duration },
};

type Others = typeof OTHERS;
type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Reader<infer Value> ? Value : never;
};
export type OtherQuestion = {
  [Op in keyof Others]: { readonly op: Op } & ValuesOf<Others[Op]>;
}[keyof Others];

export type NodeQuestion = OperationQuestion | OtherQuestion;

export function writeQuestion(question: NodeQuestion): string {
  if (!('asked' in question)) return JSON.stringify(question);
  const { op, asked } = question;
  return JSON.stringify({ op, ...asked });
}

type Body = Readonly<Record<string, unknown>>;

/** Null if not a question that this version knows. */
export function readQuestion(body: Body): NodeQuestion | null {
  const { op } = body;
  if (typeof op !== 'string') return null;
  if (isOperation(op)) return readOperation(op, body);
  return isOther(op) ? readOther(op, body) : null;
}

function readOperation<Name extends OperationName>(op: Name, body: Body): OperationQuestion<Name> | null {
  const operation = operationOf(op);
  if (operation.scope === 'own') return null;
  const asked = readFields(operation.asked, body);
  return asked && { op, asked };
}

const isOther = (op: string): op is keyof Others => Object.hasOwn(OTHERS, op);

function readOther(op: keyof Others, body: Body): OtherQuestion | null {
  const asked = readFields<Body>(OTHERS[op], body);
  // As its row says.
  return asked && ({ op, ...asked } as OtherQuestion);
}
