// What the two threads of the service offer each other, beside the database.
import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../../config/config.ts';
import type { Lane } from '../../domain/outbox-job.ts';
import type { NodeIdentity } from '../../storage/ports/nodes.ts';
import type { StorageShare } from '../open-storage.ts';
import type { CallControlThread } from './call-control-thread.ts';
import type { PlainError } from './plain-error.ts';

/** By the main thread, which has the telephone side, the log and the process. */
export interface MainThread extends CallControlThread {
  /** A job was added to this lane of the outbox. */
  wake(lane: Lane): void;
  /** Reads what the API wrote, so that calls need not wait for it. False: it failed. */
  readRoutes(): Promise<boolean>;
  /** SharedCounts say that something was written which it has not read. */
  refreshRoutesSoon(): void;
  metrics(): Promise<string>;
  takeSms(accountId: string): boolean | Promise<boolean>;
  mayMail(accountId: string): Promise<boolean>;
  shareSignIn(text: string): void;
  log(lines: string): void;
  ping(): void;
  /** An error that no handler caught. */
  failed(error: PlainError): void;
}

/** By the thread of the API. */
export interface ApiThread {
  /** Returns where HTTP listens, as a URL. */
  open(start: ApiStart): Promise<string>;
  run(): void;
  drain(): void;
  heardSignIn(text: string): void;
  sweepRecordings(nowMs: number): Promise<number>;
  closeServer(): Promise<void>;
  close(): Promise<void>;
}

export interface ApiStart {
  readonly config: Config;
  readonly storage: StorageShare;
  readonly node: NodeIdentity;
}

/** Given to the thread when it starts. */
export interface ApiThreadData {
  readonly link: MessagePort;
  /** Brings the port of the database's writer. */
  readonly writers: MessagePort;
  /** The memory of SharedCounts. */
  readonly counts: SharedArrayBuffer;
  /** SIP of browsers, and its WaitingMessages. */
  readonly webPhones: MessagePort;
  readonly webPhonesWaiting: SharedArrayBuffer;
  readonly sourceMaps: boolean;
}
