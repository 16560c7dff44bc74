import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCertificate } from '../sip/testing/test-certificate.ts';
import { LOOKUP_SHARES } from './name-lookups.ts';
import { type Network, parseNetwork } from './network.ts';
import { type Fetched, type FetchOptions, type FetchParts, makeSafeFetch } from './safe-fetch.ts';

const OPTIONS = { maxBytes: 1000, timeoutMs: 3000 };

function networks(...texts: string[]): Network[] {
  return texts.map((text) => parseNetwork(text)).filter((network) => network !== null);
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
let handle: Handle;
let connections = 0;
let port = 0;
// On every address of this machine, so that nothing that gets through is missed.
const server = createServer((request, response) => handle(request, response));
server.on('connection', () => {
  connections += 1;
});

beforeEach(async () => {
  handle = (_request, response) => response.end('hello');
  connections = 0;
  await new Promise<void>((resolve) => server.listen(0, resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function fetching(url: string, options: Partial<FetchOptions> = {}, parts: Partial<FetchParts> = {}) {
  const outside = makeSafeFetch({ allow: [], ...parts });
  try {
    return await outside.fetchSafely(url, { ...OPTIONS, ...options });
  } finally {
    outside.close();
  }
}

const faultOf = (fetched: Fetched): string => (fetched.ok ? `status ${fetched.status}` : fetched.fault);
const loopback = { allow: networks('127.0.0.0/8', '::1') };

describe('what leads into our own network is never connected to (T21)', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0177.0.0.01',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '0.0.0.0',
    '0',
    '0x0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
    '[::ffff:169.254.169.254]',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1.254',
    '100.64.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ⓛocalhost',
  ];
  it.each(hosts)('%s', async (host) => {
    const fetched = await fetching(`http://${host}:${port}/`);
    expect(['address_refused', 'name_unknown']).toContain(faultOf(fetched));
    expect(connections).toBe(0);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1:70/_GET',
    'ftp://127.0.0.1/',
    'ws://127.0.0.1/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'dict://127.0.0.1:11211/stat',
    'ldap://127.0.0.1/',
    'jar:http://127.0.0.1!/',
    'http://user:secret@1.1.1.1/',
    'http://1.1.1.1@127.0.0.1/',
    'http://',
    'http:///',
    'http://[::1',
    'http://127.0.0.1:99999/',
    '//127.0.0.1/',
    'no url',
    '',
    `http://a.example/${'x'.repeat(3000)}`,
  ])('%s', async (url) => {
    expect(['url_refused', 'name_unknown', 'address_refused']).toContain(faultOf(await fetching(url)));
  });

  it('a name of which only one address is inside', async () => {
    const fetched = await fetching(
      `http://both.example:${port}/`,
      {},
      { lookup: async () => ['1.1.1.1', '127.0.0.1'] },
    );
    expect(faultOf(fetched)).toBe('address_refused');
    expect(connections).toBe(0);
  });

  it('a redirect from a host that may be reached to one that may not', async () => {
    handle = (_request, response) => response.writeHead(302, { location: `http://127.0.0.2:${port}/` }).end();
    const fetched = await fetching(
      `http://127.0.0.1:${port}/`,
      { maxRedirects: 3 },
      { allow: networks('127.0.0.1') },
    );
    expect(faultOf(fetched)).toBe('address_refused');
    expect(connections).toBe(1);
  });

  it('a redirect to another scheme', async () => {
    handle = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    const fetched = await fetching(`http://127.0.0.1:${port}/`, { maxRedirects: 3 }, loopback);
    expect(faultOf(fetched)).toBe('url_refused');
  });

  it('a name that is another address at the second look-up: it is looked up once, and that address is taken', async () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    let asked = 0;
    const lookup = async (): Promise<string[]> => [answers[Math.min(asked++, 1)] ?? ''];
    let local = '';
    handle = (request, response) => {
      local = request.socket.localAddress ?? '';
      response.end();
    };
    const fetched = await fetching(
      `http://turns.example:${port}/`,
      {},
      { lookup, allow: networks('127.0.0.1') },
    );
    expect(faultOf(fetched)).toBe('status 200');
    expect(local).toContain('127.0.0.1');
    expect(asked).toBe(1);
    const again = await fetching(
      `http://turns.example:${port}/`,
      {},
      { lookup, allow: networks('127.0.0.1') },
    );
    expect(faultOf(again)).toBe('address_refused');
    expect(connections).toBe(1);
  });
});

describe('an address that may be reached', () => {
  it('is fetched with its own Host, method, headers and body', async () => {
    const seen: unknown[] = [];
    handle = (request, response) => {
      let body = '';
      request.on('data', (bytes) => {
        body += String(bytes);
      });
      request.on('end', () => {
        seen.push(request.method, request.url, request.headers.host, request.headers['x-mark'], body);
        response.writeHead(201, { 'x-back': 'yes' }).end('made');
      });
    };
    const fetched = await fetching(
      `http://inside.example:${port}/a?b=c`,
      { method: 'POST', body: 'grüße', headers: { 'x-mark': '1' } },
      { ...loopback, lookup: async () => ['127.0.0.1'] },
    );
    expect(seen).toEqual(['POST', '/a?b=c', `inside.example:${port}`, '1', 'grüße']);
    expect(fetched).toMatchObject({ ok: true, status: 201, headers: { 'x-back': 'yes' } });
    expect(fetched.ok && String(fetched.body)).toBe('made');
  });

  it('redirects are followed up to their limit, and a redirected POST becomes a GET', async () => {
    const seen: string[] = [];
    handle = (request, response) => {
      seen.push(`${request.method} ${request.url}`);
      const next = Number(request.url?.slice(1)) + 1;
      response.writeHead(next <= 3 ? 302 : 200, { location: `/${next}` }).end();
    };
    const url = `http://127.0.0.1:${port}/0`;
    expect(faultOf(await fetching(url, { method: 'POST', body: 'x', maxRedirects: 3 }, loopback))).toBe(
      'status 200',
    );
    expect(seen).toEqual(['POST /0', 'GET /1', 'GET /2', 'GET /3']);
    expect(faultOf(await fetching(url, { maxRedirects: 2 }, loopback))).toBe('redirects_refused');
    expect(faultOf(await fetching(url, {}, loopback))).toBe('status 302');
  });

  it('a password for one host is not shown to the host that it redirects to', async () => {
    const seen: (string | undefined)[] = [];
    handle = (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(seen.length === 1 ? 307 : 200, { location: `http://127.0.0.2:${port}/` }).end();
    };
    const headers = { Authorization: 'Bearer secret' };
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, { headers, maxRedirects: 1 }, loopback))).toBe(
      'status 200',
    );
    expect(seen).toEqual(['Bearer secret', undefined]);
  });

  it('an answer is read up to its limit, whether it tells its length or not', async () => {
    handle = (_request, response) => response.end('x'.repeat(1001));
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, {}, loopback))).toBe('too_large');
    handle = (_request, response) => {
      const more = (): boolean =>
        response.write('x'.repeat(100), () => response.writable && setImmediate(more));
      more();
    };
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, {}, loopback))).toBe('too_large');
    handle = (_request, response) => response.end('x'.repeat(1000));
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, {}, loopback))).toBe('status 200');
  });

  it('a peer that never answers, answers byte by byte, or whose name is never resolved runs into the time-out', async () => {
    handle = () => undefined;
    const url = `http://127.0.0.1:${port}/`;
    expect(faultOf(await fetching(url, { timeoutMs: 100 }, loopback))).toBe('timeout');
    handle = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(drip));
    };
    expect(faultOf(await fetching(url, { timeoutMs: 100 }, loopback))).toBe('timeout');
    const lookup = (): Promise<string[]> => new Promise(() => undefined);
    expect(faultOf(await fetching('http://silent.example/', { timeoutMs: 50 }, { lookup }))).toBe('timeout');
  });

  it('a peer that closes, a port without a listener and a name without an address are values, not throws', async () => {
    handle = (request) => request.socket.destroy();
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, {}, loopback))).toBe('unreachable');
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.destroy());
    };
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, {}, loopback))).toBe('unreachable');
    expect(faultOf(await fetching('http://127.0.0.1:1/', {}, loopback))).toBe('unreachable');
    expect(faultOf(await fetching('http://nobody.example/', {}, { lookup: async () => [] }))).toBe(
      'name_unknown',
    );
  });

  it('whoever asked may give up', async () => {
    handle = () => undefined;
    const stop = new AbortController();
    const waiting = fetching(`http://127.0.0.1:${port}/`, { signal: stop.signal }, loopback);
    stop.abort();
    expect(faultOf(await waiting)).toBe('aborted');
    expect(faultOf(await fetching(`http://127.0.0.1:${port}/`, { signal: stop.signal }, loopback))).toBe(
      'aborted',
    );
  });

  it('one connection serves request after request, and one that the peer closed meanwhile is replaced', async () => {
    const outside = makeSafeFetch(loopback);
    const url = `http://127.0.0.1:${port}/`;
    for (let round = 0; round < 3; round++)
      expect(faultOf(await outside.fetchSafely(url, OPTIONS))).toBe('status 200');
    expect(connections).toBe(1);
    handle = (request, response) => {
      // The first is what a peer looks like that closes just as the request arrives.
      if (connections === 1) request.socket.resetAndDestroy();
      else response.end('again');
    };
    expect(faultOf(await outside.fetchSafely(url, OPTIONS))).toBe('status 200');
    expect(connections).toBe(2);
    outside.close();
  });
});

describe('https', () => {
  it('asks for the name of the URL, whatever address it has, and takes no certificate that nobody vouches for', async () => {
    const names: string[] = [];
    const { certificate: cert, key } = testCertificate('inside.example');
    const secure = createSecureServer({
      cert,
      key,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const url = `https://inside.example:${(secure.address() as AddressInfo).port}/`;
    const fetched = await fetching(url, {}, { ...loopback, lookup: async () => ['127.0.0.1'] });
    expect(names).toEqual(['inside.example']);
    expect(fetched).toMatchObject({ ok: false, fault: 'unreachable' });
    await new Promise((resolve) => secure.close(resolve));
  });
});

describe('a URL that is written down', () => {
  const { refusal } = makeSafeFetch({ allow: networks('10.0.0.0/8') });
  it.each(['https://hooks.example/a', 'http://1.1.1.1:8080/', 'http://10.1.2.3/', 'http://[2606:4700::1]/'])(
    '%s is taken',
    (url) => {
      expect(refusal(url)).toBeNull();
    },
  );
  it.each([
    'ftp://hooks.example/',
    'http://192.168.1.1/',
    'http://0x7f.1/',
    'http://[::1]/',
    'https://a:b@hooks.example/',
  ])('%s is refused', (url) => {
    expect(refusal(url)).not.toBeNull();
  });
});

describe('look-ups of names', () => {
  const slow = () => {
    const waiting: { readonly name: string; readonly answer: () => void }[] = [];
    const lookup = (name: string) =>
      new Promise<string[]>((resolve) => {
        if (name.startsWith('slow')) waiting.push({ name, answer: () => resolve(['127.0.0.1']) });
        else resolve(['127.0.0.1']);
      });
    const outside = makeSafeFetch({ allow: networks('127.0.0.0/8'), lookup });
    return { waiting, outside };
  };

  it('of one account whose name servers are slow leave a slot for others, also after its requests gave up', async () => {
    const { waiting, outside } = slow();
    const late = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        outside.fetchSafely(`http://slow${at}.example:${port}/`, {
          ...OPTIONS,
          timeoutMs: 50,
          account: 'evil',
        }),
      ),
    );
    expect(late.map((each) => !each.ok && each.fault)).toEqual(new Array(20).fill('timeout'));
    expect(waiting).toHaveLength(LOOKUP_SHARES.perAccount);
    const other = await outside.fetchSafely(`http://good.example:${port}/`, { ...OPTIONS, account: 'good' });
    expect(other).toMatchObject({ ok: true });
    for (let at = 0; at < waiting.length; at++) {
      waiting[at]?.answer();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(waiting).toHaveLength(20);
    outside.close();
  });

  it('of one name at the same time are one', async () => {
    const { waiting, outside } = slow();
    const all = Array.from({ length: 50 }, () =>
      outside.fetchSafely(`http://slow.example:${port}/`, { ...OPTIONS, account: 'acme' }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(waiting).toHaveLength(1);
    waiting[0]?.answer();
    for (const each of await Promise.all(all)) expect(each).toMatchObject({ ok: true });
    outside.close();
  });
});
