// Where Kamailio with the configuration of deploy/kamailio sends what a node asks it to: a socket stands for the node.
import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../phones/support/program.ts';
import { Edge } from './support/edge.ts';
import { sleep } from './support/report.ts';

describe.skipIf(!has('kamailio'))('what Kamailio sends for a node', () => {
  let edge: Edge;
  let node: Socket;
  let peer: Socket;
  const heard: string[] = [];

  beforeAll(async () => {
    const open = async (heard: (text: string, port: number, address: string) => void): Promise<Socket> => {
      const socket = createSocket('udp4');
      socket.on('message', (bytes, { port, address }) => heard(bytes.toString(), port, address));
      await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
      return socket;
    };
    node = await open((text, port, address) => {
      if (!text.startsWith('OPTIONS ')) return;
      const lines = text.split('\r\n').filter((line) => /^(via|from|to|call-id|cseq):/i.test(line));
      node.send(['SIP/2.0 200 OK', ...lines, 'Content-Length: 0\r\n\r\n'].join('\r\n'), port, address);
    });
    peer = await open((text) => heard.push(text.split('\r\n', 1)[0] ?? ''));
    edge = await Edge.open([{ host: '127.0.0.1', port: node.address().port }], { host: '127.0.0.5' });
  });
  afterAll(async () => {
    await edge?.close();
    for (const socket of [node, peer]) socket?.close();
  });

  /** In a call whose peer recorded the second Route, or has the Contact `uri`. */
  function ask(method: string, uri: string, route = ''): void {
    const { host, port } = edge.sip;
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${node.address().port};branch=z9hG4bK${method}`,
      `Route: <sip:${host}:${port};lr>${route}`,
      'From: <sip:a@b>;tag=a',
      'To: <sip:c@d>;tag=c',
      `Call-ID: ${method}`,
      `CSeq: 1 ${method}`,
      'Max-Forwards: 70',
      'Content-Length: 0\r\n\r\n',
    ];
    node.send(lines.join('\r\n'), port, host);
  }

  it('a name of a peer leads to no address inside, in a Route or a Contact', async () => {
    const at = `:${peer.address().port}`;
    await edge.command('dns.add_a', 'inside.example', '60', '127.0.0.1', '0');
    ask('INFO', 'sip:peer@203.0.113.9', `, <sip:inside.example${at};lr>`);
    ask('MESSAGE', `sip:peer@inside.example${at}`);
    ask('BYE', `sip:peer@127.0.0.1${at}`);
    ask('UPDATE', `sip:peer@203.0.113.9;alias=127.0.0.1~${peer.address().port}~1`);
    ask('NOTIFY', 'sip:peer@203.0.113.9', `, <sip:127.0.0.1${at};lr>`);
    const sent = (): (string | undefined)[] => [...new Set(heard.map((first) => first.split(' ')[0]))].sort();
    const right = ['BYE', 'NOTIFY', 'UPDATE'];
    await expect.poll(sent).toEqual(expect.arrayContaining(right));
    await expect.poll(() => edge.said).toContain('not sent: inside.example is 127.0.0.1');
    await sleep(1_000);
    expect(sent()).toEqual(right);
  });
});
