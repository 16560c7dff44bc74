// Seven days of half hours, painted by dragging or by keys: arrows move, Space toggles, Shift and arrows select.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import {
  cellOf,
  clock,
  type GridPosition,
  isWithin,
  moved,
  paint,
  SLOT,
  SLOTS,
  type Week,
} from './week-grid.ts';

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot);

interface WeekGridProps {
  readonly week: Week;
  readonly onChange: (week: Week) => void;
}

/** The selected cells; while dragging also the new state. */
interface Marked {
  readonly from: GridPosition;
  readonly to: GridPosition;
  readonly open: boolean | null;
}

const START: GridPosition = { day: 0, slot: 18 };

/** Elements over the grid, such as the button bar, are ignored. */
function positionAt(x: number, y: number): GridPosition | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (!(element instanceof HTMLElement) || element.dataset['slot'] === undefined) continue;
    return { day: Number(element.dataset['day']), slot: Number(element.dataset['slot']) };
  }
  return null;
}

export function WeekGrid({ week, onChange }: WeekGridProps) {
  const { t } = useWords();
  const grid = useRef<HTMLTableElement>(null);
  const [marked, setMarked] = useState<Marked>({ from: START, to: START, open: null });

  const down = (event: PointerEvent): void => {
    const position = positionAt(event.clientX, event.clientY);
    if (position === null || event.button !== 0) return;
    // Pointer capture: pointerup arrives here wherever the button is released.
    event.currentTarget.setPointerCapture(event.pointerId);
    setMarked({ from: position, to: position, open: cellOf(week, position) !== 'open' });
  };
  const over = (event: PointerEvent): void => {
    if (marked.open === null) return;
    const to = positionAt(event.clientX, event.clientY);
    if (to !== null) setMarked((now) => ({ ...now, to }));
  };
  const up = (): void => {
    if (marked.open === null) return;
    onChange(paint(week, marked.from, marked.to, marked.open));
    setMarked({ from: marked.to, to: marked.to, open: null });
  };
  const stop = (): void => setMarked((now) => ({ ...now, open: null }));

  /** Focused by Tab or by a screen reader. */
  const focus = (to: GridPosition): void =>
    setMarked((now) => {
      // Already set by a key or the pointer.
      const isThere = to.day === now.to.day && to.slot === now.to.slot;
      return now.open !== null || isThere ? now : { from: to, to, open: null };
    });
  const press = (event: KeyboardEvent<HTMLTableElement>): void => {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      onChange(paint(week, marked.from, marked.to, cellOf(week, marked.to) !== 'open'));
      return;
    }
    const to = moved(marked.to, event.key, getComputedStyle(event.currentTarget).direction === 'rtl');
    if (to === null) return;
    event.preventDefault();
    setMarked((now) => ({ from: event.shiftKey ? now.from : to, to, open: null }));
    grid.current?.querySelector<HTMLElement>(`[data-day="${to.day}"][data-slot="${to.slot}"]`)?.focus();
  };

  return (
    <div className="hours-scroll">
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are moved between by keys is a grid
        role="grid"
        aria-label={t('hours.grid')}
        aria-multiselectable="true"
        className="hours-grid"
        onPointerDown={down}
        onPointerMove={over}
        onPointerUp={up}
        onPointerCancel={stop}
        onKeyDown={press}
      >
        <thead>
          <tr>
            <th scope="col" className="hours-day">
              <span className="unseen">{t('hours.week')}</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col" colSpan={2} className="hours-hour">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day) => (
            <tr key={day}>
              <th scope="row" className="hours-day" title={t(`hours.day.${day}`)}>
                {t(`hours.short.${day}`)}
              </th>
              {ALL_SLOTS.map((slot) => (
                <Cell key={slot} week={week} position={{ day, slot }} marked={marked} onFocus={focus} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly week: Week;
  readonly position: GridPosition;
  readonly marked: Marked;
  readonly onFocus: (position: GridPosition) => void;
}

function Cell({ week, position, marked, onFocus }: CellProps) {
  const { t } = useWords();
  const { day, slot } = position;
  const isMarked = isWithin(position, marked.from, marked.to);
  const stored = cellOf(week, position);
  const shown = isMarked && marked.open !== null ? (marked.open ? 'open' : 'closed') : stored;
  const several = marked.from.day !== marked.to.day || marked.from.slot !== marked.to.slot;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: within a grid a td is a gridcell
    <td
      data-day={day}
      data-slot={slot}
      tabIndex={marked.to.day === day && marked.to.slot === slot ? 0 : -1}
      aria-selected={isMarked && several}
      aria-label={t('hours.cell', {
        day: t(`hours.day.${day as 0}`),
        from: clock(slot * SLOT),
        to: clock((slot + 1) * SLOT),
        state: t(`hours.cell.${shown}`),
      })}
      className={`hours-cell hours-${shown} ${isMarked && several ? 'hours-marked' : ''}`}
      onFocus={() => onFocus(position)}
    />
  );
}
