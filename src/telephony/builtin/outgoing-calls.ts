// Legs that we begin: dialled, or restored after the death of the node that had them.
import { PCMU, preferring } from '../../media/codec.ts';
import { Negotiation } from '../../media/sdp/negotiation.ts';
import type { DialOptions, Leg, LegEnd, RestoreOptions, Target } from '../telephony.ts';
import type { BuiltinEnvironment } from './environment.ts';
import { both, type Dialled, type Invites, nothing } from './invites.ts';
import { isTrunkFailure } from './legs/causes.ts';
import { BuiltinLeg, MAX_HOPS } from './legs/leg.ts';
import { MediaSide } from './legs/media-side.ts';
import { OutgoingLeg } from './legs/outgoing-leg.ts';
import { RestoredLeg } from './legs/restored-leg.ts';
import { readStoredLeg } from './legs/stored-leg.ts';
import { invitesTo } from './target-invites.ts';

export function dial(env: BuiltinEnvironment, target: Target, options: DialOptions): Leg | null {
  const nearLeg = options.near instanceof BuiltinLeg ? options.near : null;
  const maxForwards = (nearLeg?.hops ?? MAX_HOPS) - 1;
  if (maxForwards < 0) return null;
  const passes = (nearLeg?.passes ?? 0) + 1;
  const invites = counted(env, target, { ...options, maxForwards, passes });
  if (!invites) return null;
  const leg = new OutgoingLeg((end) => {
    env.legs.delete(leg, false);
    invites.ended();
    if (target.kind === 'trunk' && isTrunkFailure(end)) trunkFailed(env, target.id, end);
  });
  leg.hops = maxForwards;
  leg.passes = passes;
  leg.phone = target.kind === 'phones' ? target.id : null;
  const near = nearLeg?.mediaSide ?? null;
  const side = MediaSide.open(env.media, leg, near ?? undefined);
  if (!side) {
    invites.ended();
    return null;
  }
  env.legs.add(leg, false);
  const codecs = preferring(near?.settings?.codec ?? PCMU.name);
  leg.begin(
    side,
    ({ carriage, address, srtp }) =>
      new Negotiation({ ...env.legs.negotiable(leg, side, address), codecs, carriage, srtp }),
  );
  // After the caller of `dial` has set its listener.
  queueMicrotask(() => {
    try {
      leg.invite(invites.all);
    } catch (err) {
      env.config.logger.error({ err, callId: leg.callId }, 'outbound call setup failed');
      leg.lost('The call could not be placed.', true);
    }
  });
  return leg;
}

export function restore(
  env: BuiltinEnvironment,
  text: string,
  { near, quotas = [], trunk }: RestoreOptions,
): Leg | null {
  const stored = readStoredLeg(text);
  if (!stored) return null;
  const endLeg = env.legs.counts.begin(quotas);
  // It was let in before: a trunk that is full meanwhile does not end it.
  const endTrunkCall = (trunk !== null && env.trunks.begin(trunk)) || nothing;
  const ended = both(endLeg, endTrunkCall);
  if (!ended) return null;
  const leg = new RestoredLeg(stored, () => {
    env.legs.delete(leg, !near);
    ended();
  });
  const nearSide = near instanceof BuiltinLeg ? near.mediaSide : null;
  const side = MediaSide.open(env.media, leg, nearSide ?? undefined);
  if (!side) {
    ended();
    return null;
  }
  env.legs.add(leg, !near);
  const address = env.addresses.ofStored(stored.dialog);
  leg.begin(side, new Negotiation(env.legs.negotiable(leg, side, address), stored.media));
  // After the caller of `restore` has set its listener.
  queueMicrotask(() => void leg.resume(env.agent.restore(stored.dialog, leg)));
  return leg;
}

function counted(env: BuiltinEnvironment, target: Target, options: Dialled): Invites | null {
  const { counts } = env.legs;
  const { quotas = [], full: notifyFull } = options;
  const endLeg = counts.begin(quotas);
  if (!endLeg) {
    const full = counts.full(quotas);
    if (full) notifyFull?.(full);
    return null;
  }
  const all = invitesTo(env, target, options);
  const ended = both(endLeg, all?.ended ?? null);
  return all && ended && { ...all, ended };
}

function trunkFailed({ config, trunks }: BuiltinEnvironment, trunk: string, end: LegEnd): void {
  const { by, status, text } = end;
  const { name } = trunks.get(trunk) ?? {};
  config.logger.warn({ trunk, name, by, status, reason: text }, 'trunk call failed');
}
