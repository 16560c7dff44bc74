// Starts an SMSC in a process of its own (smsc-process.mjs) and keeps what it was sent.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Submitted {
  readonly id: string;
  readonly reference: number;
  readonly status: number;
  readonly messageId: string;
  readonly to: string;
  readonly toType: number;
  readonly from: string;
  readonly fromType: number;
  readonly coding: number;
  readonly receipt: number;
  readonly text: string;
  readonly header: readonly string[];
}

type Told =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'bind'; readonly right: boolean; readonly version: number }
  | { readonly type: 'receipt-taken'; readonly status: number }
  | { readonly type: 'obeyed' }
  | ({ readonly type: 'submit' } & Submitted);

export interface Smsc {
  readonly port: number;
  readonly submitted: Submitted[];
  readonly binds: { readonly right: boolean; readonly version: number }[];
  /** Statuses of the answers to our receipts. */
  readonly receiptsTaken: number[];
  /** Settles once the SMSC behaves like that, and has read what was sent to it before. */
  tell(order: object): Promise<void>;
  stop(): Promise<void>;
}

export async function startSmsc(port = 0): Promise<Smsc> {
  const child: ChildProcess = fork(
    fileURLToPath(new URL('smsc-process.mjs', import.meta.url)),
    [String(port)],
    { execArgv: [] },
  );
  const submitted: Submitted[] = [];
  const binds: { right: boolean; version: number }[] = [];
  const receiptsTaken: number[] = [];
  const orders: (() => void)[] = [];
  const listening = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The SMSC ended with ${code}.`)));
    child.on('message', (told: Told) => {
      if (told.type === 'listening') resolve(told.port);
      else if (told.type === 'bind') binds.push(told);
      else if (told.type === 'receipt-taken') receiptsTaken.push(told.status);
      else if (told.type === 'obeyed') orders.shift()?.();
      else submitted.push(told);
    });
  });
  return {
    port: listening,
    submitted,
    binds,
    receiptsTaken,
    tell: (order) =>
      new Promise((resolve) => {
        orders.push(resolve);
        child.send(order);
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
