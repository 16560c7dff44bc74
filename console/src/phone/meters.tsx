// How loud both sides are, and how the call sounds, while it goes on.
import './phone.css';
import { useEffect, useRef, useState } from 'react';
import { Badge, type Tone } from '../kit/badge.tsx';
import { useWords } from '../words/words.tsx';
import type { PhoneCall } from './phone-call.ts';
import type { Quality, Verdict } from './quality.ts';

const LEVEL_MS = 100;
const QUALITY_MS = 2_000;
const TONES: Readonly<Record<Verdict, Tone>> = { good: 'good', fair: 'warn', poor: 'bad', silent: 'bad' };

interface MetersProps {
  readonly call: PhoneCall;
  /** The figures of the quality are shown beside the verdict. */
  readonly detailed?: boolean;
}

export function Meters({ call, detailed = false }: MetersProps) {
  return (
    <div className="phone-meters">
      <Levels read={() => call.levels()} />
      <QualityNow call={call} detailed={detailed} />
    </div>
  );
}

interface LevelsProps {
  /** From 0 to 1; null: there is none now. */
  readonly read: () => { readonly said: number; readonly heard: number } | null;
  /** What is heard; without it, the other side. */
  readonly heard?: string;
}

export function Levels({ read, heard }: LevelsProps) {
  const { t } = useWords();
  const [levels, setLevels] = useState<ReturnType<typeof read>>(null);
  const current = useRef(read);
  current.current = read;
  useEffect(() => {
    const timer = setInterval(() => setLevels(current.current()), LEVEL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Meter label={t('phone.level.said')} value={levels?.said ?? 0} />
      <Meter label={heard ?? t('phone.level.heard')} value={levels?.heard ?? 0} />
    </>
  );
}

function Meter({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <span className="phone-meter">
      <small>{label}</small>
      <meter min={0} max={1} low={0.05} high={0.97} optimum={0.5} value={value} aria-label={label} />
    </span>
  );
}

function QualityNow({ call, detailed }: Required<MetersProps>) {
  const { t, number } = useWords();
  const [quality, setQuality] = useState<Quality | null>(null);
  useEffect(() => {
    let isShown = true;
    const look = async (): Promise<void> => {
      const seen = await call.quality().catch(() => null);
      if (isShown) setQuality(seen);
    };
    const timer = setInterval(() => void look(), QUALITY_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [call]);
  if (!quality) return null;
  const { verdict, lostPercent, jitterMs, roundTripMs, codec } = quality;
  const figures = {
    codec,
    lost: number(Math.round(lostPercent * 10) / 10),
    jitter: number(Math.round(jitterMs)),
  };
  const details =
    roundTripMs === null
      ? t('phone.quality.figures', figures)
      : t('phone.quality.details', { ...figures, delay: number(Math.round(roundTripMs)) });
  return (
    <span className="phone-quality" title={details}>
      <Badge tone={TONES[verdict]}>{t(`phone.quality.${verdict}`)}</Badge>
      {detailed && <small>{details}</small>}
    </span>
  );
}
