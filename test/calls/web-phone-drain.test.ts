// Pages that are loaded again while the service takes no new calls: they begin none, so neither a drain nor a limit refuses them.
// Media is plain RTP here, from the test phone on this machine.
import { describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';
import { WebPages } from './support/web-pages.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'caller');

const open = (env: Record<string, string> = {}): Promise<PhoneBed> =>
  PhoneBed.open({
    env: { WEBRTC_PORT: 'off', ...env },
    recordings,
    agents: { '1001': {}, '1002': {} },
    menus: { main: { timeout: 60, option: ['1'], destination: [extension('1001')] } },
    numbers: { '100': 'ivr||main' },
  });

const replacing = (call: PhoneCall) => {
  const { callId, localTag, remoteTag } = call.dialog;
  return { headers: [['Replaces', `${callId};to-tag=${remoteTag};from-tag=${localTag}`]] as const };
};

interface Talk {
  readonly pages: WebPages;
  readonly visitor: Phone;
  readonly agent: Phone;
  readonly call: PhoneCall;
  readonly rung: PhoneCall;
}

/** A visitor who pressed 1 in the menu, and the agent’s page that answered. */
async function talk(bed: PhoneBed): Promise<Talk> {
  const pages = new WebPages(() => bed);
  const agent = await pages.page(await pages.session({ agent: eidOf('1001') }));
  expect(await agent.register()).toBe(200);
  const visitor = await pages.page(await pages.session({ to: 'ivr||main' }));
  const call = await (await visitor.call('call')).answered();
  await call.hears(hz.prompt);
  await call.pressKeys('1');
  const rung = await agent.incoming();
  await rung.answer();
  return { pages, visitor, agent, call, rung };
}

async function hearEachOther(call: PhoneCall, rung: PhoneCall): Promise<void> {
  await call.sendTone(hz.caller);
  await rung.sendTone(hz.agent);
  for (const each of [call, rung]) each.forget();
  await Promise.all([call.hears(hz.agent), rung.hears(hz.caller)]);
}

describe.concurrent('a page that is loaded again', () => {
  it('takes its call up while the service drains; pages that no call needs are sent away', async () => {
    const bed = await open();
    try {
      const { pages, visitor, agent, call, rung } = await talk(bed);
      const colleague = await pages.page(await pages.session({ agent: eidOf('1002') }));
      expect(await colleague.register()).toBe(200);
      const ended = bed.pbx.stop('SIGTERM');
      await bed.until('draining', async () => bed.pbx.log.some((line) => line.includes('"draining"')));
      visitor.close();
      const visitorAgain = await pages.page(await pages.session({ to: 'ivr||main' }));
      const callAgain = await (await visitorAgain.call('call', replacing(call))).answered();
      agent.close();
      const agentAgain = await pages.page(await pages.session({ agent: eidOf('1001') }));
      const rungAgain = await (await agentAgain.call('1001', replacing(rung))).answered();
      await hearEachOther(callAgain, rungAgain);
      // A call of this node may ring the colleague, and those of no other node can.
      expect(colleague.closeCode).toBeNull();
      const second = await pages.page(await pages.session({ to: 'ivr||main' }));
      expect(await (await second.call('call')).ended()).toMatchObject({ status: 503 });
      await callAgain.hangUp();
      await rungAgain.ended();
      expect(await ended).toBe(0);
      const sentAway = () => [colleague, second].every(({ closeCode }) => closeCode === 1001);
      await bed.until('pages sent away', async () => sentAway());
    } finally {
      await bed.close();
    }
  });

  it('takes its call up where there is no room for another call, by another session or its own', async () => {
    const bed = await open({ MAX_CALLS: '1' });
    try {
      const { pages, visitor, call, rung } = await talk(bed);
      visitor.close();
      const made = await pages.session({ to: 'ivr||main' });
      const second = await (await (await pages.page(made)).call('call', replacing(call))).answered();
      await hearEachOther(second, rung);
      // A guest has one call at a time.
      const third = await (await (await pages.page(made)).call('call', replacing(second))).answered();
      await hearEachOther(third, rung);
      const other = await (await pages.page(await pages.session({ to: 'ivr||main' }))).call('call');
      expect(await other.ended()).toMatchObject({ status: 503 });
      await third.hangUp();
    } finally {
      await bed.close();
    }
  });
});
