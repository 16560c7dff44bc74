// An SMTP server on this machine that takes everything and keeps it (RFC 5321, as far as one sender needs it).
import { type AddressInfo, createServer } from 'node:net';

export interface Mailbox {
  readonly url: string;
  /** Each with its headers. */
  readonly mails: string[];
  close(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let rest = '';
    let mail: string | null = null;
    const answer = (line: string): void => {
      if (mail === null) {
        const verb = line.slice(0, 4).toUpperCase();
        if (verb === 'DATA') mail = '';
        socket.write(verb === 'DATA' ? '354 go on\r\n' : verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
      } else if (line === '.') {
        mails.push(mail);
        mail = null;
        socket.write('250 kept\r\n');
      } else mail += `${line}\n`;
    };
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const lines = (rest + String(bytes)).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) answer(line);
    });
    socket.write('220 mailbox\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
