// Sound through rtpengine on the edge's machine, in user space: a phone whose SDP names an address of its private network, and nodes that its
// address cannot reach.
import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { freePort, has } from '../phones/support/program.ts';
import { BrowserPeer } from '../support/browser-peer.ts';
import { postgresMissing } from '../support/postgres.ts';
import type { Json } from '../support/service.ts';
import { Cluster } from './support/cluster.ts';
import { sleep } from './support/report.ts';

const { hz, recordings } = tones(60_000, 'menu');
/** What the phone takes for its address. */
const PRIVATE = '192.168.77.20';

describe.skipIf(postgresMissing() || !has('kamailio') || !has('rtpengine'))('rtpengine', () => {
  let cluster: Cluster;
  let rtpengine: ChildProcess;
  let said = '';

  beforeAll(async () => {
    const control = await freePort('127.0.0.1');
    cluster = await Cluster.open({
      nodes: 2,
      separate: true,
      edge: { settings: ['#!define WITH_RTPENGINE', `#!define RTPENGINE "udp:127.0.0.1:${control}"`] },
      recordings,
      agents: { '1001': {}, '1002': {}, '1003': {} },
      menus: { main: { recording: 'recording||menu', timeout: 60, option: [], destination: [] } },
      numbers: { '100': 'ivr||main' },
    });
    const words = ['--foreground', '--log-stderr', '--table=-1', `--listen-ng=127.0.0.1:${control}`];
    const places = [`--interface=${cluster.network?.here}`, '--port-min=41000', '--port-max=41400'];
    rtpengine = spawn('rtpengine', [...words, ...places], { stdio: ['ignore', 'ignore', 'pipe'] });
    rtpengine.stderr?.on('data', (bytes) => {
      said = `${said}${bytes}`.slice(-50_000);
    });
    await sleep(500);
    // Kamailio disables an rtpengine that did not answer at its own start.
    await cluster.edge.command('rtpengine.enable', 'all', '1');
  });
  afterAll(async () => {
    await cluster?.close();
    const gone = new Promise((resolve) => rtpengine?.once('close', resolve));
    rtpengine?.kill('SIGTERM');
    await gone;
  });

  /** The encryption of both sides of the call to that number. */
  async function encryptionOf(dialled: string): Promise<readonly string[]> {
    const node = cluster.node(0);
    const legs = async (): Promise<readonly { encryption: string }[]> => {
      const { data } = (await node.api('GET', '/v1/call/records')).json;
      const found = data.find((row: Json) => row.dialled === dialled);
      return found ? (await node.api('GET', `/v1/call/records/${found.id}`)).json.legs : [];
    };
    await expect.poll(async () => (await legs()).length).toBe(2);
    return (await legs()).map(({ encryption }) => encryption);
  }

  it('a phone behind NAT hears a menu and another phone, and is heard, through the edge alone', async () => {
    const network = cluster.network;
    if (!network) throw new Error('no network');
    const hosts = [network.guest(1), network.guest(2)];
    // Nothing but the edge is between phones and nodes.
    for (const index of cluster.nodes.keys()) network.cut(index, ...hosts);
    const open = async (user: string, host = '') =>
      cluster.agent(0, user, { server: cluster.edge.sip, host, sdp: { address: PRIVATE } });
    const [caller, called] = [await open('1001', hosts[0]), await open('1002', hosts[1])];
    await sleep(1_200);

    const menu = await (await caller.call('100')).answered();
    // Its first packet shows rtpengine where it is.
    await menu.sendTone(1_900);
    await menu.hears(hz.menu, { forMs: 300, withinMs: 30_000 }).catch((error: Error) => {
      throw new Error(`${error.message}\n${said.slice(-3_000)}`);
    });
    await menu.hangUp();

    const call = await caller.call(`1002`);
    const rung = await called.incoming();
    await rung.answer();
    await call.answered();
    await call.sendTone(1_700);
    await rung.sendTone(2_100);
    await rung.hears(1_700, { forMs: 300, withinMs: 30_000 });
    await call.hears(2_100, { forMs: 300, withinMs: 30_000 });
    await rung.hangUp();
    await call.ended();
    const answers = caller.log.filter(
      ({ way, text }) => way === 'received' && /^SIP\/2\.0 200.*\r\nc=IN/s.test(text),
    );
    expect(answers.length).toBeGreaterThan(1);
    for (const { text } of answers) expect(/^c=IN IP4 (\S+)/m.exec(text)?.[1]).toBe(network.here);
  });

  it('a phone whose Contact is that of a browser is called with DTLS, and hears and is heard', async () => {
    const network = cluster.network;
    if (!network) throw new Error('no network');
    const server = cluster.edge.sip;
    const caller = await cluster.agent(0, '1001', { server, host: network.guest(3) });
    const web = await cluster.agent(0, '1003', { server, host: network.guest(4), contactTransport: 'ws' });
    await sleep(1_200);
    const browser = new BrowserPeer();
    try {
      const call = await caller.call('1003');
      const rung = await web.incoming();
      const offer = rung.invite?.body ?? '';
      expect(offer).toMatch(/^m=audio \d+ (UDP\/TLS\/)?RTP\/SAVPF/m);
      expect(offer).toContain(`IN IP4 ${network.here}`);
      // Its sound is the browser's: the phone itself sends none.
      const answer = await browser.answer(offer);
      await rung.answer({ raw: answer, direction: 'inactive' });
      await call.answered();
      await expect.poll(() => browser.state).toBe('connected');
      browser.sendTone(1_000);
      await call.sendTone(1_700);
      await call.hears(1_000, { forMs: 300, withinMs: 30_000 }).catch((error: Error) => {
        throw new Error(`${error.message}\n${said.slice(-3_000)}`);
      });
      await browser.hears(1_700);
      // An offer of the page, as of a session refresh, stays with DTLS on both sides.
      expect(await rung.reinvite(answer.replace(/a=setup:\w+/, 'a=setup:actpass'))).toBe(200);
      expect(rung.descriptions.at(-1)).toMatch(/^m=audio \d+ UDP\/TLS\/RTP\/SAVPF/m);
      call.forget();
      browser.forget();
      await call.hears(1_000, { forMs: 300, withinMs: 30_000 });
      await browser.hears(1_700);
      await call.hangUp();
      await rung.ended();
      expect(await encryptionOf('1003')).toEqual(['none', 'dtls']);
    } finally {
      browser.close();
    }
  });
});
