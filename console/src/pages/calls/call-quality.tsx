import { Badge, type Tone } from '../../kit/badge.tsx';
import { Notice } from '../../kit/states.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import { type Fact, Facts } from './facts.tsx';
import type { Leg } from './ladder-view.ts';
import { isMeasured, lossOf, type MeasuredLeg, type Verdict, verdictOf } from './quality-verdict.ts';

const TONES: Readonly<Record<Verdict, Tone>> = {
  none: 'neutral',
  'one-way': 'bad',
  bad: 'bad',
  fair: 'warn',
  good: 'good',
};

export function CallQuality({ legs: all }: { readonly legs: readonly Leg[] }) {
  const { t } = useWords();
  const legs = all.filter(isMeasured);
  const verdicts = new Set(legs.map(verdictOf));
  return (
    <section className="card">
      <h2>{t('call.sound')}</h2>
      {legs.length === 0 ? (
        <p>{t('call.sound.none')}</p>
      ) : (
        legs.map((leg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one number may ring twice, and legs never change their place
          <LegQuality key={index} leg={leg} />
        ))
      )}
      {verdicts.has('one-way') && <Notice tone="warn">{t('call.verdict.one-way.help')}</Notice>}
      {verdicts.has('bad') && <Notice tone="warn">{t('call.verdict.bad.help')}</Notice>}
      {legs.length > 0 && <p className="field-hint">{t('call.sound.hint')}</p>}
    </section>
  );
}

/** The names are those of the protocols, in every language. */
function encryptionOf(leg: MeasuredLeg, t: Words['t']): string {
  const { encryption, crypto_suite: suite, keys_over_tls: isKeySecret } = leg;
  if (encryption === 'dtls') return 'DTLS-SRTP';
  if (!suite) return t('call.sound.plain');
  // Older records do not say.
  return isKeySecret === false ? t('call.sound.open-keys', { suite: `SRTP, ${suite}` }) : `SRTP, ${suite}`;
}

function LegQuality({ leg }: { readonly leg: MeasuredLeg }) {
  const { t, number, percent } = useWords();
  const verdict = verdictOf(leg);
  const name = t(leg.role === 'caller' ? 'call.party.caller' : 'call.party.called', { number: leg.number });
  const ms = (value: number): string => t('call.sound.ms', { value: number(Math.round(value * 10) / 10) });
  // Only where a jitter buffer was in use; older records do not say.
  const buffered: readonly Fact[] = leg.buffer_ms
    ? [
        [t('call.sound.buffer'), ms(leg.buffer_ms)],
        [t('call.sound.late'), number(leg.packets_late ?? 0)],
      ]
    : [];
  // Older records do not say.
  const encrypted: readonly Fact[] = leg.encryption
    ? [[t('call.sound.encryption'), encryptionOf(leg, t)]]
    : [];
  const facts: readonly Fact[] = [
    [t('call.sound.received'), number(leg.packets_received)],
    [t('call.sound.sent'), number(leg.packets_sent)],
    [t('call.sound.lost'), `${number(leg.packets_lost)} (${percent(lossOf(leg))})`],
    [t('call.sound.jitter'), ms(leg.jitter_ms)],
    ...buffered,
    ...encrypted,
    [t('call.sound.end'), t(`call.by.${leg.ended_by}`)],
  ];
  return (
    <div className="calls-leg">
      <div className="calls-leg-head">
        <h3>{name}</h3>
        <Badge tone={TONES[verdict]}>{t(`call.verdict.${verdict}`)}</Badge>
      </div>
      <Facts facts={facts} />
    </div>
  );
}
