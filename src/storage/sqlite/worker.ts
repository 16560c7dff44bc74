// The thread that owns one connection to the SQLite file: a writer that runs the migrations and commits groups, or a
// reader. A sync to disk or a long scan here delays neither HTTP nor the media threads. Each client has a port of its own, and sends
// the next orders after the answer to the ones before: so no client waits behind more than one group of another.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Outcome } from '../group.ts';
import type { NewRecord } from '../ports/records.ts';
import { OPERATIONS, type OperationName } from '../sql/operations.ts';
import { RollBack, type Tx } from '../sql/tx.ts';
import { openConnection } from './connection.ts';
import { type FileIdentity, identify, lostPart, type Part } from './database-file.ts';
import { needsRestart, type WorkerFault } from './fault.ts';
import { migrate } from './migrate.ts';

export interface WorkerOptions {
  readonly file: string;
  readonly role: 'writer' | 'reader';
  /** The identity of the file that was opened first: no other is opened in its place. */
  readonly identity?: FileIdentity;
}

export interface Order {
  readonly name: OperationName;
  readonly input: unknown;
}

/** From a client. */
export interface Orders {
  readonly id: number;
  readonly orders: Order[];
}

export interface Answer {
  readonly id: number;
  readonly outcomes: Outcome<unknown>[];
}

export type ToOwner = { readonly ready: FileIdentity } | { readonly failed: WorkerFault };
export type ToWorker = { readonly client: MessagePort } | 'close';

type Operation = (tx: Tx, input: unknown) => Promise<unknown>;

interface Creation extends Order {
  readonly input: NewRecord;
}

const isCreation = (order: Order): order is Creation => order.name === 'createRecord';

const isPlainCreation = (order: Order): boolean =>
  isCreation(order) && order.input.keys === undefined && !order.input.isChosen;

/** The orders in sequence, with adjacent creations grouped: they share statements. */
function runsOf(orders: readonly Order[]): Order[][] {
  const runs: Order[][] = [];
  for (const order of orders) {
    const last = runs.at(-1);
    if (last?.[0] && isPlainCreation(order) && isPlainCreation(last[0])) last.push(order);
    else runs.push([order]);
  }
  return runs;
}

/** A part of the file is gone or another one: commits would be lost with the process. */
class LostFile extends Error {
  readonly part: Part;

  constructor(part: Part) {
    super('lost');
    this.part = part;
  }
}

function describe(error: unknown): WorkerFault {
  if (error instanceof LostFile) return { code: -1, message: error.message, lost: error.part };
  const { errcode, message } = error as { errcode?: number; message?: string };
  return { code: errcode ?? -1, message: message ?? String(error) };
}

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const say = (message: ToOwner): void => port.postMessage(message);
const { file, role, identity: opened }: WorkerOptions = workerData;

function checkFile(identity: FileIdentity): void {
  const part = lostPart(file, identity);
  if (part !== null) throw new LostFile(part);
}

try {
  if (opened) checkFile(opened);
  const connection = openConnection(file, role);
  const { tx, execute } = connection;
  if (role === 'writer') await migrate(connection);
  const identity = opened ?? identify(file);

  const operations: Readonly<Record<string, unknown>> = OPERATIONS;
  const operate = ({ name, input }: Order): Promise<unknown> => (operations[name] as Operation)(tx, input);

  /** One order of several: it rolls back without affecting the others. */
  const perform = async (order: Order): Promise<Outcome<unknown>> => {
    // Creations without unique keys or chosen ids cannot fail half-way.
    if (isPlainCreation(order)) return { value: await operate(order) };
    execute('SAVEPOINT one');
    try {
      const value = await operate(order);
      execute('RELEASE one');
      return { value };
    } catch (error) {
      execute('ROLLBACK TO one');
      execute('RELEASE one');
      if (error instanceof RollBack) return { value: error.outcome };
      throw error;
    }
  };

  const createAll = async (run: readonly Order[]): Promise<Outcome<unknown>[]> => {
    const results = await OPERATIONS.createRecords(
      tx,
      run.filter(isCreation).map(({ input }) => input),
    );
    return results.map((value) => ({ value }));
  };

  const performAll = async (orders: readonly Order[]): Promise<Outcome<unknown>[]> => {
    const [first, ...others] = orders;
    // A single order rolls back with its transaction: a savepoint would copy each page that it changes.
    if (first && others.length === 0) return [{ value: await operate(first) }];
    const outcomes: Outcome<unknown>[] = [];
    for (const run of runsOf(orders)) {
      const [one, ...more] = run;
      if (more.length === 0 && one) outcomes.push(await perform(one));
      else outcomes.push(...(await createAll(run)));
    }
    return outcomes;
  };

  const commit = async (orders: readonly Order[]): Promise<Outcome<unknown>[]> => {
    checkFile(identity);
    execute('BEGIN IMMEDIATE');
    try {
      const outcomes = await performAll(orders);
      execute('COMMIT');
      // Again before anything is acknowledged.
      checkFile(identity);
      return outcomes;
    } catch (error) {
      if (connection.inTransaction()) execute('ROLLBACK');
      if (error instanceof RollBack) return [{ value: error.outcome }];
      throw error;
    }
  };

  const answerAll = (orders: readonly Order[]): Promise<Outcome<unknown>[]> =>
    Promise.all(orders.map(async (order) => ({ value: await operate(order) })));

  const waiting: { readonly client: MessagePort; readonly sent: Orders }[] = [];
  const clients = new Set<MessagePort>();
  const carryOut = role === 'writer' ? commit : answerAll;

  /** Orders of several clients share one commit. */
  const work = async (): Promise<void> => {
    const groups = waiting.splice(0);
    const orders = groups.flatMap(({ sent }) => sent.orders);
    let outcomes: Outcome<unknown>[];
    let mustEnd = false;
    try {
      outcomes = await carryOut(orders);
    } catch (error) {
      const fault = describe(error);
      mustEnd = needsRestart(fault.code);
      outcomes = orders.map(() => ({ error: fault }));
    }
    let from = 0;
    for (const { client, sent } of groups) {
      const answer: Answer = { id: sent.id, outcomes: outcomes.slice(from, from + sent.orders.length) };
      from += sent.orders.length;
      client.postMessage(answer);
    }
    // The owner starts a new thread.
    if (mustEnd) process.exit(1);
    if (waiting.length > 0) await work();
  };

  let isWorking = false;
  const takeOrders = (client: MessagePort, sent: Orders): void => {
    waiting.push({ client, sent });
    if (isWorking) return;
    isWorking = true;
    // After the orders of the other clients that have arrived by now.
    setImmediate(() => {
      void work().finally(() => {
        isWorking = false;
      });
    });
  };

  port.on('message', (message: ToWorker) => {
    if (message === 'close') {
      connection.close();
      for (const client of clients) client.close();
      port.close();
      return;
    }
    const { client } = message;
    clients.add(client);
    client.on('message', (sent: Orders) => takeOrders(client, sent));
    client.on('close', () => clients.delete(client));
  });
  say({ ready: identity });
} catch (error) {
  say({ failed: describe(error) });
}
