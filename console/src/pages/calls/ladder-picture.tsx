// The ladder diagram: a vertical line for each party, an arrow for each message. It scrolls sideways if many phones rang.
import { useWords } from '../../words/words.tsx';
import { SinceStart } from './call-steps.tsx';
import type { Arrow, LadderView } from './ladder-view.ts';

interface Props {
  readonly view: LadderView;
  readonly names: readonly string[];
}

export function LadderPicture({ view, names }: Props) {
  const { t } = useWords();
  const columns = view.parties.length;
  return (
    <section
      className="calls-ladder"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      aria-label={t('call.ladder.picture', { count: view.arrows.length })}
    >
      {/* The table below has the same data for screen readers. */}
      <div
        className="calls-ladder-grid"
        aria-hidden="true"
        style={{ gridTemplateColumns: `4.75rem repeat(${columns}, minmax(6.5rem, 1fr))` }}
      >
        <span />
        {view.parties.map(({ key, role, userAgent }, index) => (
          <div key={key} className={`calls-party calls-party-${role}`}>
            <strong>{names[index]}</strong>
            {userAgent && <small title={userAgent}>{userAgent}</small>}
          </div>
        ))}
        {view.parties.map(({ key }, index) => (
          <span
            key={key}
            className="calls-lifeline"
            style={{ gridColumn: index + 2, gridRow: `2 / span ${view.arrows.length}` }}
          />
        ))}
        {view.arrows.map((arrow, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no names, and never change their place
          <Message key={index} arrow={arrow} row={index + 2} />
        ))}
      </div>
    </section>
  );
}

function Message({ arrow, row }: { readonly arrow: Arrow; readonly row: number }) {
  const { line, from, to, tone } = arrow;
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const span = last - first + 1;
  // From the middle of one column to the middle of the other: half a column is left free at each end.
  const inset = `${50 / span}%`;
  return (
    <>
      <span className="calls-ladder-at" style={{ gridColumn: 1, gridRow: row }}>
        <SinceStart ms={line.at_ms} digits={3} />
      </span>
      <div
        className={`calls-message calls-message-${tone} ${to > from ? 'calls-onward' : 'calls-backward'}`}
        style={{ gridColumn: `${first + 2} / span ${span}`, gridRow: row, paddingInline: inset }}
      >
        <span className="calls-message-text">{line.what}</span>
        <span className="calls-message-line" />
      </div>
    </>
  );
}
