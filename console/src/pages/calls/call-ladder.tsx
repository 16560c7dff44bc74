// The SIP messages of a call: a ladder diagram, and a table of the same.
import { useMemo } from 'react';
import { useWords, type Words } from '../../words/words.tsx';
import { SinceStart } from './call-steps.tsx';
import { LadderPicture } from './ladder-picture.tsx';
import { type LadderLine, type LadderView, type Leg, ladderView, type Party } from './ladder-view.ts';

interface Props {
  readonly lines: readonly LadderLine[];
  readonly leftOut: number;
  readonly legs: readonly Leg[];
}

export function CallLadder({ lines, leftOut, legs }: Props) {
  const words = useWords();
  const { t } = words;
  const view = useMemo(() => ladderView(lines, legs), [lines, legs]);
  if (lines.length === 0)
    return (
      <section className="card">
        <h2>{t('call.ladder')}</h2>
        <p>{t('call.ladder.none')}</p>
      </section>
    );
  const names = view.parties.map((party) => partyName(party, words));
  return (
    <section className="card">
      <h2>{t('call.ladder')}</h2>
      <p className="field-hint">{t('call.ladder.hint')}</p>
      <LadderPicture view={view} names={names} />
      {leftOut > 0 && <p className="field-hint">{t('call.ladder.more', { count: leftOut })}</p>}
      <details className="calls-ladder-details">
        <summary>{t('call.ladder.table')}</summary>
        <LadderTable view={view} names={names} />
      </details>
    </section>
  );
}

function partyName({ role, number, phone }: Party, { t }: Words): string {
  if (role === 'us') return 'Dialtree';
  if (number === '') return t('call.party.moved');
  if (role === 'caller') return t('call.party.caller', { number });
  return phone === null
    ? t('call.party.called', { number })
    : t('call.party.called.nth', { number, nth: phone });
}

function LadderTable({ view, names }: { readonly view: LadderView; readonly names: readonly string[] }) {
  const { t } = useWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="calls-ladder-table" tabIndex={0} aria-label={t('call.ladder')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('call.ladder.time')}</th>
            <th scope="col">{t('call.ladder.from')}</th>
            <th scope="col">{t('call.ladder.to')}</th>
            <th scope="col">{t('call.ladder.what')}</th>
            <th scope="col">{t('call.ladder.transport')}</th>
            <th scope="col">{t('call.ladder.agent')}</th>
          </tr>
        </thead>
        <tbody>
          {view.arrows.map(({ line, from, to }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no names, and never change their place
            <tr key={index}>
              <td>
                <SinceStart ms={line.at_ms} digits={3} />
              </td>
              <td>{names[from]}</td>
              <td>{names[to]}</td>
              <td>{line.what}</td>
              <td>{line.transport.toUpperCase()}</td>
              <td className="calls-device">{line.user_agent ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
