// A client that wants everything: connections that ask for large responses and never read, and some that read and ask again. Writes a
// line of JSON at its end: after some seconds, when its input is over, too.
import { connect, type Socket } from 'node:net';

export interface GreedyQuestion {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** Each of the unread connections sends one of these, in turn, so often, without waiting for responses. */
  readonly unread: {
    readonly requests: readonly string[];
    readonly connections: number;
    readonly times: number;
  };
  /** Each of these reads its responses and asks for the next of them. */
  readonly read: { readonly requests: readonly string[]; readonly connections: number };
  readonly seconds: number;
}

export interface GreedyAnswer {
  readonly opened: number;
  /** Responses that were read, by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const question = JSON.parse(process.argv[2] ?? '') as GreedyQuestion;
const statuses: Record<string, number> = {};
let opened = 0;

const head = (request: string): string =>
  `${request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${question.token}\r\nContent-Length: 0\r\n\r\n`;

function open(): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(question.port, question.host, () => {
      opened += 1;
      resolve(socket);
    });
    socket.on('error', () => undefined);
  });
}

async function neverRead(index: number): Promise<void> {
  const { requests, times } = question.unread;
  const socket = await open();
  socket.pause();
  socket.write(head(requests[index % requests.length] ?? '').repeat(times));
}

/** Asks again as soon as the response is complete; Content-Length says when. */
async function readOn(index: number): Promise<void> {
  const { requests } = question.read;
  const socket = await open();
  let asked = index;
  let left = -1;
  const ask = (): void => void socket.write(head(requests[asked++ % requests.length] ?? ''));
  socket.on('data', (bytes) => {
    if (left < 0) {
      const text = bytes.toString('latin1');
      const [, status = '?'] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
      statuses[status] = (statuses[status] ?? 0) + 1;
      left = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    }
    left -= bytes.length;
    if (left > 0) return;
    left = -1;
    ask();
  });
  ask();
}

for (let index = 0; index < question.unread.connections; index++) await neverRead(index);
for (let index = 0; index < question.read.connections; index++) await readOn(index);
const isOver = new Promise((resolve) => process.stdin.resume().once('end', resolve));
await new Promise((resolve) => setTimeout(resolve, question.seconds * 1000));
await isOver;
const answer: GreedyAnswer = { opened, statuses };
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
