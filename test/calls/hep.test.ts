// A capture server sees the whole of a call, and nothing that is secret.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CaptureServer } from '../support/hep.ts';
import { extension, PASSWORD } from '../support/pbx.ts';
import { PhoneBed } from './support/phone-bed.ts';

let server: CaptureServer;
let bed: PhoneBed;
beforeAll(async () => {
  server = await CaptureServer.open();
  bed = await PhoneBed.open({
    env: { HEP_URL: `udp://127.0.0.1:${server.port}`, HEP_ID: '7', HEP_PASSWORD: 'homer', NODE_ID: 'node-a' },
    agents: { '1001': {} },
    numbers: { '200': extension('1001') },
  });
});
afterAll(async () => {
  await bed?.close();
  server?.close();
});

it('a registration and a bridged call reach the capture server, each leg under its Call-ID', async () => {
  const agent = await bed.agent('1001');
  const caller = await bed.dial('200');
  await (await agent.incoming()).answer();
  await caller.answered();
  await caller.hangUp();
  const ladderOf = (callId: string): string[] =>
    server.messages
      .filter(({ correlationId }) => correlationId === callId)
      .map(({ payload }) => payload.slice(0, payload.indexOf('\r\n')).replace(/ sip:.*/, ''));
  await expect
    .poll(() => ladderOf(caller.dialog.callId))
    .toEqual(expect.arrayContaining(['INVITE', 'SIP/2.0 200 OK', 'ACK', 'BYE']));
  expect(ladderOf(caller.dialog.callId)[0]).toBe('INVITE');
  const register = server.messages.find(({ payload }) => /^REGISTER .*^Authorization:/ms.test(payload));
  expect(register).toMatchObject({ agent: 7, agentName: 'node-a', password: 'homer', protocol: 1 });
  expect(register?.payload).toMatch(/response="x{32}"/);
  const digests = agent.log
    .flatMap(({ text }) => [...(/response="([0-9a-f]{32})"/g.exec(text) ?? [])])
    .filter((text) => /^[0-9a-f]{32}$/.test(text));
  expect(digests.length).toBeGreaterThan(0);
  const all = server.messages.map(({ payload }) => payload).join('\n');
  expect(digests.filter((digest) => all.includes(digest))).toEqual([]);
  expect(all).not.toContain(PASSWORD);
  expect(bed.pbx.log.join('\n')).not.toContain('homer');
  const seen = server.messages.length;
  const { text } = await bed.api('GET', '/metrics');
  const [, sent] = /^dialtree_hep_messages_total\{outcome="sent"\} (\d+)$/m.exec(text) ?? [];
  expect(Number(sent)).toBeGreaterThanOrEqual(seen);
  expect(text).toContain('dialtree_hep_messages_total{outcome="dropped"} 0\n');
});
