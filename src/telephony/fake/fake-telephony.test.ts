import { describe, expect } from 'vitest';
import { type Callee, MISSING, type RemoteParty, SOUND, until } from '../contract/test-network.contract.ts';
import { telephonyContract } from '../telephony.contract.ts';
import type { Refusal } from '../telephony.ts';
import type { FakeLeg } from './fake-leg.ts';
import { FakeTelephony } from './fake-telephony.ts';

const nothing = async (): Promise<void> => undefined;

/** Remote parties that act at once and listen to every sound to its end. */
describe('the fake passes the contract of the port', () => {
  telephonyContract(async (user) => {
    const telephony = new FakeTelephony(user);
    const legs = new Map<RemoteParty, FakeLeg>();
    const listening = setInterval(() => {
      for (const leg of legs.values()) {
        if (leg.playing?.sound === MISSING) leg.remote.missSound();
        leg.remote.listenToEnd();
      }
    }, 5);
    const person = (leg: FakeLeg): RemoteParty => ({
      press: async (keys) => leg.remote.press(keys),
      sendSound: async (ms) => leg.remote.speak(ms),
      sendSilence: async (ms) => leg.remote.sayNothing(ms),
      hold: async () => leg.remote.hold(),
      resume: async () => leg.remote.resume(),
      hangUp: async () => leg.remote.hangUp(),
      gone: () => until(() => leg.state === 'ended'),
    });
    return {
      telephony,
      async call(dialled) {
        let refusal: Refusal | null = null;
        const before = telephony.came.length;
        const decided = telephony.call(dialled).then((result) => {
          if (!('remote' in result)) refusal = result;
        });
        const leg = telephony.came[before];
        if (!leg) await decided;
        const caller = {
          ...(leg
            ? person(leg)
            : {
                press: nothing,
                sendSound: nothing,
                sendSilence: nothing,
                hold: nothing,
                resume: nothing,
                hangUp: nothing,
                gone: nothing,
              }),
          async status(): Promise<number> {
            await until(() => refusal !== null || leg?.state === 'answered');
            return refusal?.status ?? 200;
          },
          retryAfter: () => String(refusal?.retryAfterSeconds ?? ''),
        };
        if (leg) legs.set(caller, leg);
        return caller;
      },
      async register(id, phones) {
        telephony.register(id);
        return Array.from({ length: phones }, () => ({
          async called(): Promise<Callee> {
            await until(() => telephony.dialled.length > 0);
            const leg = telephony.dialled.at(-1);
            if (!leg) throw new Error('no leg was dialled');
            let mine = false;
            const called: Callee = {
              ...person(leg),
              ring: async () => (leg.state === 'new' ? leg.remote.ring() : undefined),
              ringWithSound: async () => leg.remote.sendEarlyMedia(),
              async answer() {
                mine = true;
                leg.remote.answer();
              },
              refuse: async (how) => leg.remote.refuse(how),
              gone: () => until(() => leg.state === 'ended' || (leg.state === 'answered' && !mine)),
            };
            legs.set(called, leg);
            return called;
          },
        }));
      },
      async talk(one, other) {
        const [ours, theirs] = [legs.get(one), legs.get(other)];
        await until(() => ours !== undefined && ours.other === theirs && theirs?.other === ours);
      },
      async hearsOnHold(party) {
        await until(() => legs.get(party)?.hearsOnHold === SOUND);
      },
      async listens(listener, target, _partner, mode) {
        await until(() => legs.get(listener)?.listening?.mode === mode);
        expect(legs.get(listener)?.listening?.target).toBe(legs.get(target));
      },
      async confer(parties) {
        const inside = parties.map((each) => legs.get(each));
        const conference = telephony.came.at(-1)?.conference;
        await until(() => inside.every((leg) => leg !== undefined && conference?.legs.has(leg)));
        expect(conference?.legs.size).toBe(parties.length);
      },
      async close() {
        clearInterval(listening);
        await telephony.close();
      },
    };
  });
});
