// Whether the draft is open now, or at another time.
import { useEffect, useState } from 'react';
import { isKnownZone } from '../../../../src/flow/hours/zone.ts';
import { Badge } from '../../kit/badge.tsx';
import { TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { type HoursDraft, previewOf } from './hours-draft.ts';

const TICK_MS = 15_000;

export function OpenPreview({ draft }: { readonly draft: HoursDraft }) {
  const { t, dateTime, language, hinted } = useWords();
  const [nowMs, setNowMs] = useState(() => Date.now());
  const [moment, setMoment] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (!isKnownZone(draft.timezone)) return null;
  const chosen = moment === '' ? Number.NaN : new Date(moment).getTime();
  const atMs = Number.isNaN(chosen) ? nowMs : chosen;
  const { open_now: open, exception_now: exception, next } = previewOf(draft, atMs);
  const there = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: draft.timezone,
  }).format(atMs);
  return (
    <div className="hours-now">
      <p role="status">
        <Badge tone={open ? 'good' : 'neutral'}>
          {Number.isNaN(chosen)
            ? t(open ? 'hours.now.open' : 'hours.now.closed')
            : t(open ? 'hours.then.open' : 'hours.then.closed')}
        </Badge>{' '}
        {exception !== null && t('hours.now.exception', { name: exception })}{' '}
        {next === null ? t('hours.now.forever') : t('hours.now.until', { time: dateTime(next) })}{' '}
        {t('hours.now.local', { time: there })}
      </p>
      <TextField {...hinted('hours.preview.at')} type="datetime-local" value={moment} onChange={setMoment} />
    </div>
  );
}
