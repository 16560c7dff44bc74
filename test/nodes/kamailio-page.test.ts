// The commands of docs/kamailio.md that need root, as they stand: in a network namespace with the addresses of its example, over an empty
// /etc/kamailio. `sudo` is nothing here, apt-get looks whether the packages are installed, and systemctl starts Kamailio as its unit does.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fencesOf, readPage, root } from '../calls/support/shell-page.ts';
import { has } from '../phones/support/program.ts';

/** Answers every OPTIONS with 200, as a node does. */
const NODE = `
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (bytes, { port, address }) => {
  const lines = bytes.toString().split('\\r\\n').filter((line) => /^(via|from|to|call-id|cseq):/i.test(line));
  socket.send(['SIP/2.0 200 OK', ...lines, 'Content-Length: 0', '', ''].join('\\r\\n'), port, address);
});
socket.bind(5060, process.argv[1]);`;
const NODES = ['10.0.0.11', '10.0.0.12', '10.0.0.13', '10.0.0.14'];

it.skipIf(!has('kamailio'))('the root commands of docs/kamailio.md work, line by line', async () => {
  const blocks = fencesOf(readPage('docs/kamailio.md')).filter(({ language }) => language === 'sh root');
  expect(blocks.length).toBe(4);
  const folder = mkdtempSync(join(tmpdir(), 'dialtree-page-'));
  const program = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program('sudo', 'exec "$@"');
  program('apt-get', 'shift; exec dpkg -s "$@" >/dev/null');
  program(
    'systemctl',
    'mkdir -p /run/kamailio; kamailio -f /etc/kamailio/kamailio.cfg -m 64 -M 8 -P /run/kamailio/pid && sleep 3',
  );
  const script = [
    'set -e',
    'ip link set lo up',
    ...['10.0.0.5', ...NODES].map((address) => `ip address add ${address}/32 dev lo`),
    'mkdir -p /etc/kamailio /run/kamailio',
    'mount -t tmpfs tmpfs /etc/kamailio; mount -t tmpfs tmpfs /run/kamailio',
    ...NODES.map((address) => `node -e "$NODE" ${address} & nodes="$nodes $!"`),
    'trap \'kill $nodes; kill "$(cat /run/kamailio/pid)"\' EXIT',
    'set -x',
    ...blocks.map(({ text }) => text),
    'sleep 3; kamcmd dispatcher.list',
  ].join('\n');
  const child = spawn('unshare', ['-n', '-m', 'bash', '-c', script], {
    cwd: root,
    env: { PATH: `${folder}:${process.env['PATH']}`, NODE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (bytes) => {
      out += String(bytes);
    });
  // A daemon has its outputs, too.
  const code = await new Promise((resolve) => child.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
  expect(code, out).toBe(0);
  // Three nodes in service after the first list, four after the second.
  const lists = out.split('kamcmd dispatcher.list').slice(1);
  expect(
    lists.map((list) => list.split('FLAGS: AP').length - 1),
    out,
  ).toEqual([3, 4]);
});
