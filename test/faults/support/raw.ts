// A bare connection that sends exactly the given bytes, in pieces and at any pace.
import { connect, type Socket } from 'node:net';
import { TOKEN } from '../../support/service.ts';

export interface RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves when the other side has closed it, or it broke. */
  readonly closed: Promise<void>;
  /** When it was closed, on the clock of performance.now(). */
  closedMs(): number | undefined;
  /** Waits until what was received matches. */
  until(pattern: RegExp, limitMs: number): Promise<string>;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  let closedMs: number | undefined;
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  // A broken connection is a close like any other here.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      closedMs = performance.now();
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    received: () => text,
    closed,
    closedMs: () => closedMs,
    until: (pattern, limitMs) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`Nothing like ${pattern} came: ${text}`)), limitMs);
        const look = (): void => {
          if (!pattern.test(text)) return;
          clearTimeout(late);
          socket.off('data', look);
          resolve(text);
        };
        socket.on('data', look);
        look();
      }),
  };
}

/** The head of a request, with the empty line that ends it. */
export function headOf(method: string, path: string, bodyBytes = 0): string {
  const length = bodyBytes > 0 ? `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nhost: dialtree\r\nauthorization: Bearer ${TOKEN}\r\n${length}\r\n`;
}
