// SIPp calls us: each scenario is a file of test/phones/sipp.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noTransactions, nothingLeft, recordOf, recordsOf } from './support/observe.ts';
import { BRIEF_MENU, type Office, openOffice } from './support/office.ts';
import { has } from './support/program.ts';
import { headersOf, type SippMessage, type SippResult } from './support/sipp.ts';

const AGENTS = ['agent-never-answers', 'agent-answers'] as const;

describe.runIf(has('sipp'))('a caller with SIPp', () => {
  let office: Office<(typeof AGENTS)[number]>;
  beforeAll(async () => {
    office = await openOffice(AGENTS);
  });
  afterAll(() => office.pbx.remove());

  const received = ({ messages }: SippResult, start: string): SippMessage[] =>
    messages.filter(({ way, first }) => way === 'received' && first.startsWith(start));

  describe.concurrent('while others call', () => {
    it('is answered and hangs up', async () => {
      const result = await office.caller('answer-and-hang-up', 'plain');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1, failed: 0 });
      const record = await recordOf(office.pbx, 'plain');
      expect(record).toMatchObject({ end_code: 'caller-hung-up', cause: 16, dialled: '100' });
      expect(record.legs).toHaveLength(1);
      expect(record.legs[0]).toMatchObject({ role: 'caller', ended_by: 'peer' });
      // The prompt, from the ACK on; how much of 1.5 s is left after reading the sound is the machine's affair.
      expect(record.legs[0].packets_sent).toBeGreaterThan(0);
    });

    it('is hung up on by us', async () => {
      const result = await office.caller('hung-up-on', 'dismissed', { user: BRIEF_MENU });
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'dismissed')).toMatchObject({ end_code: 'hang-up-reached' });
    });

    it('comes by TCP, and everything goes the same way back', async () => {
      const server = { host: '127.0.0.1', port: tcpPort(office.pbx.log) };
      const result = await office.caller('answer-and-hang-up', 'by-tcp', { server, transport: 'tcp' });
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      const byUs = await office.caller('hung-up-on', 'by-tcp-too', {
        server,
        transport: 'tcp',
        user: BRIEF_MENU,
      });
      expect(byUs, byUs.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'by-tcp')).toMatchObject({ end_code: 'caller-hung-up' });
    });

    it('offers nothing: our 200 offers and the ACK answers', async () => {
      const result = await office.caller('offers-later', 'delayed');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      const { legs } = await recordOf(office.pbx, 'delayed');
      expect(legs[0].packets_sent).toBeGreaterThan(0);
    });

    it('repeats its INVITE after the 200 and has one call (RFC 6026 §7.1)', async () => {
      const result = await office.caller('repeats-invite', 'repeating');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      await recordOf(office.pbx, 'repeating');
      expect(await recordsOf(office.pbx, 'repeating')).toHaveLength(1);
      const tags = received(result, 'SIP/2.0 200').map((message) => headersOf(message, 'to')[0]);
      expect(new Set(tags).size).toBe(1);
    });

    it('sends a CSeq out of order and gets 500 (RFC 3261 §12.2.2)', async () => {
      const result = await office.caller('out-of-order', 'disorderly');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'disorderly')).toMatchObject({ end_code: 'caller-hung-up' });
    });

    it('ends an unknown call and gets 481', async () => {
      const result = await office.caller('unknown-dialog', 'lost');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordsOf(office.pbx, 'lost')).toEqual([]);
    });

    it('holds in two ways and resumes', async () => {
      const result = await office.caller('holds-and-resumes', 'holding');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'holding')).toMatchObject({ end_code: 'caller-hung-up' });
    });

    it('refreshes and changes the session by UPDATE (RFC 3311)', async () => {
      const result = await office.caller('updates', 'updating');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'updating')).toMatchObject({ end_code: 'caller-hung-up' });
    });

    it('wants refreshes too often and gets 422 (RFC 4028 §6)', async () => {
      const result = await office.caller('interval-too-small', 'hasty');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'hasty')).toMatchObject({ end_code: 'caller-hung-up' });
    });

    it('comes through proxies: our BYE follows their Record-Route (RFC 3261 §12.1.1)', async () => {
      const result = await office.caller('record-route', 'routed', { user: BRIEF_MENU });
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      const [bye] = received(result, 'BYE');
      const [invite] = result.messages;
      const contact = /<(.*)>/.exec(headersOf(invite as SippMessage, 'contact')[0] ?? '')?.[1];
      expect(bye?.first).toBe(`BYE ${contact} SIP/2.0`);
      const routes = headersOf(bye as SippMessage, 'route')
        .join(',')
        .split(',');
      expect(routes.map((route) => /hop=(\w+)/.exec(route)?.[1])).toEqual(['near', 'far']);
      const answer = received(result, 'SIP/2.0 200')[0] as SippMessage;
      expect(headersOf(answer, 'record-route').join(',')).toMatch(/hop=near.*hop=far/);
    });

    it('cancels too late: the 200 stands, ACK and BYE end the call (RFC 3261 §9.2)', async () => {
      const result = await office.caller('cancels-too-late', 'tardy');
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'tardy')).toMatchObject({ end_code: 'caller-hung-up' });
      expect(received(result, 'SIP/2.0 487')).toEqual([]);
    });

    it('loses the 200 to our BYE, which comes again (RFC 3261 §17.1.2.1)', async () => {
      const result = await office.caller('deaf-to-bye', 'deaf', { user: BRIEF_MENU });
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      const byes = received(result, 'BYE');
      expect(byes.length, result.story).toBeGreaterThanOrEqual(3);
      const branches = new Set(byes.map((bye) => /branch=([^;\s]+)/.exec(bye.text)?.[1]));
      expect(branches.size).toBe(1);
      expect(await recordOf(office.pbx, 'deaf')).toMatchObject({ end_code: 'hang-up-reached' });
    });
  });

  describe('to an agent who never answers', () => {
    it('gives up while it rings: 487 for the caller, CANCEL for the agent', async () => {
      const agent = await office.agent('agent-never-answers');
      const number = office.numberOf('agent-never-answers');
      const result = await office.caller('gives-up-ringing', 'impatient', { user: number });
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      const rung = await agent.ended;
      expect(rung, rung.story).toMatchObject({ code: 0, successful: 1 });
      expect(await recordOf(office.pbx, 'impatient')).toMatchObject({
        end_code: 'caller-hung-up',
        answered_by: null,
      });
    });

    it('requires PRACK: the 180 comes again until then (RFC 3262 §3)', async () => {
      const agent = await office.agent('agent-never-answers');
      const number = office.numberOf('agent-never-answers');
      const result = await office.caller('requires-prack', 'reliable', { user: number });
      expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
      expect(received(result, 'SIP/2.0 180').length).toBeGreaterThanOrEqual(2);
      const rung = await agent.ended;
      expect(rung, rung.story).toMatchObject({ code: 0, successful: 1 });
    });
  });

  it('requires PRACK and is put through', async () => {
    const agent = await office.agent('agent-answers');
    const number = office.numberOf('agent-answers');
    const result = await office.caller('requires-prack-and-talks', 'reliable-2', { user: number });
    expect(result, result.story).toMatchObject({ code: 0, successful: 1 });
    const talked = await agent.ended;
    expect(talked, talked.story).toMatchObject({ code: 0, successful: 1 });
    expect(await recordOf(office.pbx, 'reliable-2')).toMatchObject({ answered_by: '9201' });
  });

  it('leaves nothing behind: no call, leg, stream or transaction', async () => {
    await nothingLeft(office.pbx);
    await noTransactions(office.pbx);
  });
});

function tcpPort(log: readonly string[]): number {
  const [, port] = /"tcp [\d.]+:(\d+)"/.exec(log.join('\n')) ?? [];
  return Number(port);
}
