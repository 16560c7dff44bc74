// The telephones of a call, in the order in which they joined: when each rang, was answered and ended.
import { Badge, type Tone } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { type Fact, Facts } from './facts.tsx';
import type { Leg } from './ladder-view.ts';
import { NamedLink } from './named-link.tsx';

const TONES: Readonly<Record<Leg['outcome'], Tone>> = {
  ended: 'good',
  transferred: 'good',
  busy: 'warn',
  declined: 'warn',
  'no-answer': 'warn',
  unreachable: 'bad',
  failed: 'bad',
};

/** Legs of old records have no times. */
export function CallLegs({ legs }: { readonly legs: readonly Leg[] }) {
  const { t } = useWords();
  const timed = legs.filter(({ began_at_ms: began }) => began !== undefined);
  if (timed.length === 0) return null;
  return (
    <section className="card">
      <h2>{t('call.legs')}</h2>
      {timed.map((leg, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one number may ring twice, and legs never change their place
        <LegTimes key={index} leg={leg} />
      ))}
    </section>
  );
}

function LegTimes({ leg }: { readonly leg: Leg }) {
  const { t, duration } = useWords();
  const { began_at_ms: began = 0, ended_at_ms: ended = 0, role, agent, number } = leg;
  const [ringing, answered] = [leg.ringing_at_ms ?? null, leg.answered_at_ms ?? null];
  const span = (from: number | null, to: number): string =>
    from === null ? '–' : duration(Math.max(0, to - from));
  const facts: readonly Fact[] = [
    [t('call.leg.from'), duration(Math.max(0, began))],
    ...(role === 'called' ? [[t('call.ring'), span(ringing, answered ?? ended)] as const] : []),
    [role === 'called' ? t('call.talk') : t('call.leg.connected'), span(answered, ended)],
    [t('call.sound.end'), t(`call.by.${leg.ended_by}`)],
  ];
  const party = t(role === 'caller' ? 'call.party.caller' : 'call.party.called', { number });
  return (
    <div className="calls-leg">
      <div className="calls-leg-head">
        <h3>
          {agent ? (
            <>
              <NamedLink reference={`extension||${agent}`} former={leg.agent_name ?? undefined} /> ({number})
            </>
          ) : (
            party
          )}
        </h3>
        <Badge
          tone={
            role === 'called' && answered === null && leg.outcome === 'ended' ? 'warn' : TONES[leg.outcome]
          }
        >
          {t(`call.leg.outcome.${leg.outcome}`)}
        </Badge>
      </div>
      <Facts facts={facts} />
    </div>
  );
}
