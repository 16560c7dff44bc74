// Pages whose examples are read by other programs: the proxies of docs/https.md in front of a service, the firewall of docs/network.md,
// the systemd unit.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { fencesOf, readPage, root } from '../calls/support/shell-page.ts';
import { call, type Service, startService, TOKEN } from '../support/service.ts';
import { freePort, has } from './support/program.ts';

const OPTIONS =
  'OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/WSS x.invalid;branch=z9hG4bK1\r\nMax-Forwards: 70\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n';

const block = (page: string, language: string): string => {
  const found = fencesOf(readPage(page)).find((fence) => fence.language === language);
  if (!found) throw new Error(`${page} has no block "${language}".`);
  return found.text;
};

describe('docs/https.md', () => {
  let service: Service;
  let folder: string;
  const started: ChildProcess[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-https-'));
    service = await startService({
      env: { SIP: 'on', SIP_PORT: '0', TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT: '1000' },
    });
    const subject = ['-subj', '/CN=dial.example.com', '-addext', 'subjectAltName=DNS:dial.example.com'];
    const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
      {
        stdio: 'ignore',
      },
    );
  });
  afterAll(async () => {
    for (const child of started) child.kill('SIGTERM');
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Answer {
    readonly status: number;
    readonly text: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  }

  /** Through the proxy, as a browser at https://dial.example.com. `until`: the text that ends a stream. */
  function ask(
    port: number,
    path: string,
    options: { method?: string; body?: Buffer; headers?: object; until?: string } = {},
  ) {
    const { method = 'GET', body, headers = {}, until } = options;
    return new Promise<Answer>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          servername: 'dial.example.com',
          rejectUnauthorized: false,
          headers: { host: 'dial.example.com', authorization: `Bearer ${TOKEN}`, ...headers },
        },
        (response) => {
          let text = '';
          const end = (): void =>
            resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
          response.on('data', (bytes) => {
            text += String(bytes);
            if (until !== undefined && text.includes(until)) {
              end();
              sent.destroy();
            }
          });
          response.on('end', end);
        },
      );
      sent.on('error', reject);
      sent.setTimeout(10_000, () => sent.destroy(new Error('no answer within 10 s')));
      sent.end(body);
    });
  }

  /** The first line that SIP is answered with, by a page at https://dial.example.com. */
  async function phonePage(port: number): Promise<string> {
    const made = await ask(port, '/v1/phone_session', {
      method: 'POST',
      body: Buffer.from('{"to":"100"}'),
      headers: { 'content-type': 'application/json' },
    });
    const { path } = JSON.parse(made.text) as { path: string };
    const socket = new WebSocket(`wss://127.0.0.1:${port}${path}`, 'sip', {
      headers: { host: 'dial.example.com', origin: 'https://dial.example.com' },
      agent: new Agent({ servername: 'dial.example.com', rejectUnauthorized: false }),
    });
    try {
      return await new Promise((resolve, reject) => {
        socket.once('open', () => socket.send(OPTIONS));
        socket.once('message', (data) => resolve(String(data).split('\r\n')[0] ?? ''));
        socket.once('error', reject);
      });
    } finally {
      socket.terminate();
    }
  }

  async function serves(port: number): Promise<void> {
    await expect
      .poll(() =>
        ask(port, '/healthz').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    expect((await ask(port, '/')).text).toContain('<div id="console">');
    // The page's own origin may sign in, and gets a cookie for https alone.
    const signedIn = await ask(port, '/v1/session', {
      method: 'POST',
      body: Buffer.from(JSON.stringify({ token: TOKEN })),
      headers: {
        'content-type': 'application/json',
        origin: 'https://dial.example.com',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(signedIn.status, signedIn.text).toBeLessThan(300);
    expect(String(signedIn.headers['set-cookie'])).toContain('Secure');
    // The first event of a stream comes, though nothing follows.
    expect((await ask(port, '/v1/live_calls/events', { until: 'snapshot' })).status).toBe(200);
    expect(await phonePage(port)).toBe('SIP/2.0 200 OK');
    // An upload of 20 MB gets to the service, which says what it hasLogic of it.
    const upload = await ask(port, '/v1/recording', {
      method: 'POST',
      body: Buffer.concat([
        Buffer.from(
          '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n',
        ),
        Buffer.alloc(20_000_000),
        Buffer.from('\r\n--x--\r\n'),
      ]),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(JSON.parse(upload.text)).toMatchObject({ Success: false });
    expect(upload.status).not.toBe(413);
  }

  it.runIf(has('nginx'))(
    'its nginx serves the console, sign-in, streams and uploads',
    { timeout: 60_000 },
    async () => {
      const port = await freePort();
      const server = block('docs/https.md', 'nginx')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replaceAll('/etc/ssl/dial.example.com', folder)
        .replaceAll('http://127.0.0.1:8080', service.url);
      const config = join(folder, 'nginx.conf');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      writeFileSync(
        config,
        `daemon off; worker_processes 1; user root; error_log stderr; pid ${folder}/nginx.pid;\nevents {}\nhttp { access_log off; ${temporary.join(' ')}\n${server}}\n`,
      );
      const tested = spawnSync('nginx', ['-t', '-c', config], { encoding: 'utf8' });
      expect(tested.status, tested.stderr).toBe(0);
      started.push(spawn('nginx', ['-c', config], { stdio: 'ignore' }));
      await serves(port);
      await expectOwnAddress();
    },
  );

  it.runIf(has('caddy'))(
    'its Caddy serves the console, sign-in, streams and uploads',
    { timeout: 60_000 },
    async () => {
      const port = await freePort();
      const site = block('docs/https.md', 'caddy')
        .replace(
          'dial.example.com {',
          `https://dial.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
        )
        .replaceAll('127.0.0.1:8080', new URL(service.url).host);
      const config = join(folder, 'Caddyfile');
      writeFileSync(config, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
      started.push(
        spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
          stdio: 'ignore',
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: folder,
            XDG_DATA_HOME: folder,
            XDG_CONFIG_HOME: folder,
          },
        }),
      );
      await serves(port);
    },
  );

  /** A proxy that is not trusted would make all of them one client. */
  async function expectOwnAddress(): Promise<void> {
    const wrong = (from: string) =>
      call(service.url, 'GET', '/v1/agents', {
        token: 'dialtree_guess',
        headers: { 'x-forwarded-for': from },
      });
    for (let at = 0; at < 40; at++) await wrong('203.0.113.1');
    expect((await wrong('203.0.113.1')).status).toBe(429);
    expect((await wrong('203.0.113.2')).status).toBe(401);
  }
});

it.runIf(has('nft'))('the rules of docs/network.md are valid for nftables', () => {
  const { status, stderr } = spawnSync('nft', ['-c', '-f', '-'], {
    input: block('docs/network.md', 'nft'),
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

it.runIf(has('systemd-analyze'))('systemd accepts every line of the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-unit-'));
  try {
    const unit = join(folder, 'dialtree.service');
    const text = execFileSync('cat', [join(root, 'examples/dialtree.service')], { encoding: 'utf8' });
    writeFileSync(unit, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('dialtree.service:');
    expect(status, stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
