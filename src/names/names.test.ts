import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { NameServer, type Records } from '../../test/phones/support/name-server.ts';
import { LOOKUP_SHARES } from '../safe-fetch/name-lookups.ts';
import { parseNetwork } from '../safe-fetch/network.ts';
import { makeSafeFetch } from '../safe-fetch/safe-fetch.ts';
import { HostsFile } from './hosts-file.ts';
import { lookUp, type NameSources } from './names.ts';
import { searchedNames } from './search-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialtree-hosts-'));
const servers: NameServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string, name = 'file'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function serving(
  records: Records,
  { hosts = '', conf = '' } = {},
): Promise<{ server: NameServer; sources: NameSources }> {
  const server = await NameServer.open(records);
  servers.push(server);
  const sources = {
    hosts: new HostsFile(fileWith(hosts, 'hosts')),
    resolvConf: fileWith(`search .\n${conf}`, 'resolv.conf'),
    servers: [server.address],
  };
  return { server, sources };
}

describe('names that no server answers (T73)', () => {
  it('stop look-ups of their own account alone: the names of others are answered meanwhile', async () => {
    const dead = Array.from({ length: 40 }, (_, at) => `dead${at}.example`);
    const { server, sources } = await serving({
      ...Object.fromEntries(dead.map((name) => [name, null])),
      'good.example': '192.0.2.7',
    });
    const underWay = new Set<string>();
    const outside = makeSafeFetch({
      allow: [parseNetwork('192.0.2.0/24')].filter((network) => network !== null),
      lookup: (name) => {
        underWay.add(name);
        return lookUp(name, { ...sources, timeoutMs: 60_000 }).finally(() => underWay.delete(name));
      },
    });
    for (const name of dead) void outside.addressesFor(`http://${name}/`, { account: 'evil' });
    const good = await outside.addressesFor('http://good.example/', { account: 'good' });
    expect(good).toMatchObject({ ok: true });
    expect([...underWay]).toEqual(dead.slice(0, LOOKUP_SHARES.perAccount));
    expect(server.asked).toContain('dead0.example');
    outside.close();
  });

  it('of the operator, which getaddrinfo looks up, stop no other look-up, whatever waits for a thread', async () => {
    const { sources } = await serving({ 'good.example': '192.0.2.7' });
    // Opening a pipe that nobody writes occupies a thread of libuv's pool, as getaddrinfo does.
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const occupied = Array.from({ length: 16 }, () => open(pipe, 'r'));
    expect(await lookUp('good.example', sources)).toEqual(['192.0.2.7']);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    for (const file of await Promise.all(occupied)) await file.close();
    closeSync(writer);
  });

  it('end by themselves', async () => {
    const { sources } = await serving({ 'dead.example': null });
    expect(await lookUp('dead.example', { ...sources, timeoutMs: 50 })).toEqual([]);
  });

  it('end the search, too: no other name is asked for when the time is over', async () => {
    const { server, sources } = await serving(
      { 'dead.one.example': null },
      { conf: 'search one.example two.example' },
    );
    expect(await lookUp('dead', { ...sources, timeoutMs: 50 })).toEqual([]);
    expect(new Set(server.asked)).toEqual(new Set(['dead.one.example']));
  });
});

describe('a name', () => {
  it('of DNS has its addresses, and one that is not there has none', async () => {
    const { sources } = await serving({ 'pbx.example': '192.0.2.1' });
    expect(await lookUp('pbx.example', sources)).toEqual(['192.0.2.1']);
    expect(await lookUp('nowhere.example', sources)).toEqual([]);
  });

  it('of the hosts file is not asked for, in any case and with several addresses', async () => {
    const { server, sources } = await serving(
      { 'crm.lan': '192.0.2.9' },
      { hosts: '10.0.0.8 crm.lan CRM # ours\n#10.0.0.9 crm.lan\nfd00::8\tcrm.lan\nrubbish crm.lan\n' },
    );
    expect(await lookUp('Crm.LAN', sources)).toEqual(['10.0.0.8', 'fd00::8']);
    expect(await lookUp('crm', sources)).toEqual(['10.0.0.8']);
    expect(server.asked).toEqual([]);
  });

  it('localhost is loopback, also where the hosts file does not say so, and never asked for (RFC 6761)', async () => {
    const { server, sources } = await serving({ localhost: '192.0.2.9' });
    expect(await lookUp('localhost', sources)).toEqual(['127.0.0.1', '::1']);
    expect(await lookUp('db.localhost.', sources)).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).toEqual([]);
  });

  it('is found in a hosts file that has changed, and not in one that is gone', () => {
    const path = fileWith('10.0.0.1 crm', 'changing');
    const hosts = new HostsFile(path);
    expect(hosts.addressesOf('crm')).toEqual(['10.0.0.1']);
    writeFileSync(path, '10.0.0.2 crm');
    utimesSync(path, 1_000, 2_000);
    expect(hosts.addressesOf('crm')).toEqual(['10.0.0.2']);
    rmSync(path);
    expect(hosts.addressesOf('crm')).toEqual([]);
  });
});

describe('the search list', () => {
  it('finds a service of docker compose by its name alone, with the list of the network and without one', async () => {
    const { sources } = await serving(
      { 'web.shop_default': '172.18.0.2', db: '172.18.0.3' },
      { conf: 'search shop_default\noptions ndots:0' },
    );
    expect(await lookUp('web', sources)).toEqual(['172.18.0.2']);
    expect(await lookUp('db', sources)).toEqual(['172.18.0.3']);
  });

  it.each([
    ['web', '', ['web']],
    ['web', 'search a.example b.example', ['web.a.example', 'web.b.example', 'web']],
    ['web.shop', 'search a.example', ['web.shop', 'web.shop.a.example']],
    ['web.shop', 'search a.example\noptions rotate ndots:5', ['web.shop.a.example', 'web.shop']],
    ['web', 'search a.example\ndomain b.example.', ['web.b.example', 'web']],
    ['web.', 'search a.example', ['web.']],
    ['web', 'options ndots:999\nsearch .', ['web']],
  ])('%s with %j asks for %j', (name, conf, asked) => {
    expect(searchedNames(name, fileWith(`search .\n${conf}`, 'resolv'))).toEqual(asked);
  });
});
