// dialtree doctor behind firewalls, in a network of its own: it says which part of a call does not get through.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProcess } from '../support/service.ts';
import { firewallMissing } from './support/needs.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function behind(rule: string): Promise<{ code: number | null; last: string }> {
  const script = `ip link set lo up && iptables ${rule} && exec "$@"`;
  const { code, out } = await runProcess(['doctor'], {
    // Nothing else uses that network, so the ports may be fixed.
    env: { SIP: 'on', SIP_PORT: '5060', RTP_PORTS: '20000-20099' },
    dataDir,
    under: ['unshare', '-n', 'sh', '-c', script, 'sh'],
  });
  const calls = out.split('\n').filter((line) => line.includes('self call'));
  return { code, last: calls.at(-1) ?? out };
}

describe.skipIf(firewallMissing())('dialtree doctor behind a firewall', () => {
  it('that drops SIP says that a phone cannot register', async () => {
    const { code, last } = await behind('-A INPUT -p udp --dport 5060 -j DROP');
    expect(last).toMatch(/^fail {2}self call: register .*not answered.* firewall lets UDP pass/);
    expect(code).toBe(1);
  });

  it('that drops our sound says that the prompt is not heard', async () => {
    const { code, last } = await behind('-A OUTPUT -p udp --sport 20000:20099 -j DROP');
    expect(last).toMatch(/^fail {2}self call: menu .*heard nothing: no packets came\./);
    expect(code).toBe(1);
  });

  it('that drops the phones’ sound says that the key does not arrive', async () => {
    const { code, last } = await behind('-A INPUT -p udp --dport 20000:20099 -j DROP');
    expect(last).toMatch(/^fail {2}self call: key .*does not arrive/);
    expect(code).toBe(1);
  });

  it('that drops nothing of a call lets it through', async () => {
    const { code, last } = await behind('-A INPUT -p udp --dport 9 -j DROP');
    expect(last).toMatch(/^ok {4}self call: end /);
    expect(code).toBe(0);
  });
});
