// All operations by name: SQLite's worker gets the name, PostgreSQL's adapter calls the function.
import { storageOf } from '../facade.ts';
import { type Inputs, type Method, type Methods, type Outputs, ROWS } from '../methods.ts';
import { READ_SCHEMA } from '../migrations/ledger.ts';
import type { Storage } from '../storage.ts';
import * as account from './account.ts';
import * as agentPresence from './agent-presence.ts';
import * as audit from './audit.ts';
import * as binding from './binding.ts';
import * as call from './call.ts';
import * as callRecording from './call-recording.ts';
import * as callRetention from './call-retention.ts';
import * as callSearch from './call-search.ts';
import * as callStatistics from './call-statistics.ts';
import * as callback from './callback.ts';
import * as claim from './claim.ts';
import * as deletedRecord from './deleted-record.ts';
import * as draft from './draft.ts';
import * as installation from './installation.ts';
import * as key from './key.ts';
import * as lease from './lease.ts';
import * as liveCall from './live-call.ts';
import * as message from './message.ts';
import * as node from './node.ts';
import * as notification from './notification.ts';
import type { Operation } from './operation.ts';
import * as outbox from './outbox.ts';
import * as prompt from './prompt.ts';
import * as record from './record.ts';
import * as recordRestore from './record-restore.ts';
import * as revision from './revision.ts';
import * as serviceVariable from './service-variable.ts';
import * as trunkRegistration from './trunk-registration.ts';
import type { Tx } from './tx.ts';
import * as usage from './usage.ts';
import * as user from './user.ts';

/** Methods of the port that are one operation each. */
type DirectMethod = Exclude<Method, 'saveCalls' | 'probe' | 'close'>;

/** Each module has its operations under the names of the port's methods; one that is missing does not compile. */
const DIRECT: { readonly [M in DirectMethod]: Operation<M> } = {
  ...record,
  ...deletedRecord,
  ...recordRestore,
  ...draft,
  ...key,
  ...claim,
  ...account,
  ...audit,
  ...agentPresence,
  ...call,
  ...callback,
  ...callRetention,
  ...callSearch,
  ...callStatistics,
  ...callRecording,
  ...prompt,
  ...outbox,
  ...message,
  ...binding,
  ...trunkRegistration,
  ...installation,
  ...serviceVariable,
  ...node,
  ...notification,
  ...lease,
  ...liveCall,
  ...usage,
  ...user,
  ...revision,
};

export const OPERATIONS = {
  ...DIRECT,
  saveCalls: call.saveCalls,
  createRecords: record.createRecords,
  readSchema,
  probeWrite,
};

export type OperationName = keyof typeof OPERATIONS | Method;

/** Runs an operation in the database: by its name in another thread, or by the function itself. */
export type Runner = <Input, Output>(
  name: OperationName,
  operation: (tx: Tx, input: Input) => Promise<Output>,
  input: Input,
) => Promise<Output>;

const OPERATION_OF: { readonly [M in Method]?: Operation<M> } = DIRECT;

/** `own`: methods that the adapter carries out itself. */
export function storageOver(
  read: Runner,
  write: Runner,
  own: Pick<Methods, 'probe' | 'close'> & Partial<Methods>,
): Storage {
  const special: { readonly [M in Method]?: Methods[M] } = {
    // Converted here, since the SQLite thread has more to do than this one.
    saveCalls: async (input) => write('saveCalls', call.saveCalls, call.batchOf(input)),
    ...own,
  };
  const run = <M extends Method>(method: M, input: Inputs[M]): Promise<Outputs[M]> => {
    const itself = special[method];
    if (itself) return itself(input);
    const operation = OPERATION_OF[method];
    if (!operation) throw new Error(`The adapter has no ${method}.`);
    return (ROWS[method].access === 'write' ? write : read)(method, operation, input);
  };
  return storageOf({ run }, undefined);
}

/** Fails with the name of a column or table that is missing. */
export async function readSchema(tx: Tx): Promise<void> {
  await tx.all(READ_SCHEMA);
}

/** A write that changes no data: it shows whether writing works again. */
export async function probeWrite(tx: Tx, { atMs }: { atMs: number }): Promise<void> {
  await tx.run(
    "INSERT INTO revisions (topic, revision) VALUES ('probe', $1) ON CONFLICT (topic) DO UPDATE SET revision = excluded.revision",
    [atMs],
  );
}
