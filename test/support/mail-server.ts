// A mail server that keeps what it gets.
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';

interface Smtp {
  listen(port: number, host: string, then: () => void): { address(): AddressInfo };
  close(then: () => void): void;
  on(event: 'error', failed: () => void): void;
}
const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as {
  SMTPServer: new (options: {
    authOptional: boolean;
    allowInsecureAuth: boolean;
    onAuth: (
      auth: { username: string },
      session: unknown,
      done: (error: null, answer: { user: string }) => void,
    ) => void;
    disabledCommands: string[];
    onData: (stream: Readable, session: unknown, done: () => void) => void;
  }) => Smtp;
};

const WAIT_MS = 20_000;

export interface MailServer {
  readonly url: string;
  /** The first mail, come or to come, that fits: its source, with soft line breaks removed. */
  received(fits: (text: string) => boolean): Promise<string>;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const waiting = new Set<() => void>();
  const smtp = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username }, _, done) => done(null, { user: username }),
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      let text = '';
      stream.on('data', (bytes) => {
        text += String(bytes);
      });
      stream.on('end', () => {
        mails.push(text.replaceAll('=\r\n', ''));
        done();
        for (const look of waiting) look();
      });
    },
  });
  // A service that is killed leaves its connection.
  smtp.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listening = smtp.listen(0, '127.0.0.1', () => resolve(listening.address().port));
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: (fits) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const timer = setTimeout(() => {
          end();
          reject(new Error(`No such mail came; there were ${mails.length} others.`));
        }, WAIT_MS);
        const look = (): void => {
          const found = mails.find(fits);
          if (found === undefined) return;
          end();
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => new Promise((resolve) => smtp.close(resolve)),
  };
}
