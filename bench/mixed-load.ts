// The clients of bench/mixed.ts: lists, lint, statistics, uploads and exports at once, each client one request after the other, until
// SIGTERM; then it prints the requests per second of each kind.
import { Agent, request } from 'node:http';
import { toneWav } from '../test/support/phone/tone-recording.ts';
import { TOKEN } from '../test/support/service.ts';

const [url = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const wav = toneWav(440, 5_000);

interface Kind {
  readonly clients: number;
  readonly method: string;
  readonly path: () => string;
  readonly body?: () => Buffer;
}

let uploads = 0;
const KINDS: Readonly<Record<string, Kind>> = {
  lists: { clients: 16, method: 'GET', path: () => '/v1/ivrs?limit=200' },
  lint: { clients: 4, method: 'GET', path: () => '/v1/lint' },
  statistics: { clients: 2, method: 'GET', path: () => '/v1/statistics' },
  exports: { clients: 2, method: 'GET', path: () => '/v1/call/records.csv' },
  uploads: {
    clients: 2,
    method: 'PATCH',
    // A new sound for one of two recordings: new recordings would make the account larger from round to round.
    path: () => `/v1/recording/upload-${uploads % 2}`,
    body: () => {
      uploads += 1;
      const bytes = Buffer.from(wav);
      bytes.writeUInt32LE(uploads, bytes.length - 8);
      return bytes;
    },
  },
};

const counts = new Map<string, number>();
const startedMs = performance.now();

function ask(name: string, { method, path, body }: Kind): Promise<void> {
  return new Promise((resolve) => {
    const bytes = body?.();
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(bytes ? { 'content-type': 'audio/wav', 'content-length': bytes.length } : {}),
    };
    const sent = request(url + path(), { method, headers, agent }, (response) => {
      response.resume();
      response.once('close', resolve);
      const key = response.statusCode && response.statusCode < 300 ? name : `${name} ${response.statusCode}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
    sent.once('error', () => resolve());
    sent.end(bytes);
  });
}

for (const [name, kind] of Object.entries(KINDS))
  for (let client = 0; client < kind.clients; client++)
    void (async () => {
      for (;;) await ask(name, kind);
    })();

process.once('SIGTERM', () => {
  const seconds = (performance.now() - startedMs) / 1000;
  const rates = [...counts].map(([name, count]) => [name, (count / seconds).toFixed(1)]);
  process.stdout.write(JSON.stringify(Object.fromEntries(rates)), () => process.exit(0));
});
