// All operations by name: SQLite's worker gets the name, PostgreSQL's adapter calls the function.
import { type Inputs, METHOD_NAMES, METHODS, type Method, type Outputs } from '../methods.ts';
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

export type OperationName = keyof typeof OPERATIONS;

/** Makes a function that runs an operation in the database: by its name in another thread, or by the function itself. */
export type Runner = <Input, Output>(
  name: OperationName,
  operation: (tx: Tx, input: Input) => Promise<Output>,
) => (input: Input) => Promise<Output>;

export function storageOver(read: Runner, write: Runner): Omit<Storage, 'probe' | 'close'> {
  const saveCalls = write('saveCalls', call.saveCalls);
  const run = <M extends DirectMethod>(name: M): ((input: Inputs[M]) => Promise<Outputs[M]>) =>
    (METHODS[name].access === 'write' ? write : read)(name, DIRECT[name]);
  const direct = METHOD_NAMES.filter(
    (name): name is DirectMethod => METHODS[name].access !== 'adapter' && name !== 'saveCalls',
  );
  return {
    ...(Object.fromEntries(direct.map((name) => [name, run(name)])) as Pick<Storage, DirectMethod>),
    // Converted here, since the SQLite thread has more to do than this one.
    saveCalls: async (input) => saveCalls(call.batchOf(input)),
  };
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
