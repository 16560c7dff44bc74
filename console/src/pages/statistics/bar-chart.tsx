// A stacked bar chart in SVG. One tab stop: arrow keys move between bars and their value is shown as text. The unanswered part is
// hatched, so colour is not needed, and a table has the same data.
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import { type Bar, namedEvery, scaleOf } from './chart-model.ts';

interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The heading of the table's first column. */
  readonly unit: string;
  readonly nameOf: (bar: Bar) => string;
  readonly shortNameOf: (bar: Bar) => string;
}

const HEIGHT = 220;
const EDGE = { start: 36, end: 8, top: 12, bottom: 26 };
/** The width of a name below a bar. */
const NAME_WIDTH = 52;

/** The measured width: scaling the SVG would scale its text. */
function useWidth(): [ref: (element: HTMLElement | null) => void, width: number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(200, Math.floor(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}

export function BarChart({ label, bars, unit, nameOf, shortNameOf }: BarChartProps) {
  const { t } = useWords();
  const [ref, width] = useWidth();
  const [active, setActive] = useState<number | null>(null);
  const chart = useRef<HTMLDivElement>(null);
  const at = Math.min(active ?? bars.length - 1, bars.length - 1);
  const say = (bar: Bar | undefined): string =>
    bar ? t('statistics.chart.value', { name: nameOf(bar), count: bar.calls, answered: bar.answered }) : '';
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: bars.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setActive(Math.max(0, Math.min(bars.length - 1, to)));
  };
  const point = (event: PointerEvent): void => {
    const box = chart.current?.getBoundingClientRect();
    if (!box) return;
    const inner = box.width - EDGE.start - EDGE.end;
    const place = Math.floor(((event.clientX - box.left - EDGE.start) / inner) * bars.length);
    setActive(Math.max(0, Math.min(bars.length - 1, place)));
  };
  return (
    <div className="statistics-chart" ref={ref}>
      <div
        ref={chart}
        className="statistics-drawing"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={at}
        aria-valuetext={say(bars[at])}
        onKeyDown={move}
        onFocus={() => setActive(at)}
        onBlur={() => setActive(null)}
        onPointerMove={point}
        onPointerLeave={() => setActive(null)}
      >
        <Drawing bars={bars} width={width} active={active} shortNameOf={shortNameOf} />
      </div>
      <p className="statistics-value" aria-hidden="true">
        {active === null ? t('statistics.chart.hint') : say(bars[at])}
      </p>
      <ul className="statistics-legend">
        <li>
          <span className="statistics-swatch statistics-swatch-answered" />
          {t('statistics.chart.answered')}
        </li>
        <li>
          <span className="statistics-swatch statistics-swatch-other" />
          {t('statistics.chart.other')}
        </li>
      </ul>
      <AsTable label={label} bars={bars} unit={unit} nameOf={nameOf} />
    </div>
  );
}

interface DrawingProps extends Pick<BarChartProps, 'bars' | 'shortNameOf'> {
  readonly width: number;
  readonly active: number | null;
}

function Drawing({ bars, width, active, shortNameOf }: DrawingProps) {
  const { number } = useWords();
  const hatch = useId();
  const { top, ticks } = scaleOf(Math.max(0, ...bars.map(({ calls }) => calls)));
  const inner = { width: width - EDGE.start - EDGE.end, height: HEIGHT - EDGE.top - EDGE.bottom };
  const slot = inner.width / Math.max(1, bars.length);
  const thick = Math.max(1, Math.min(slot * 0.72, 40));
  const y = (value: number): number => EDGE.top + inner.height - (value / top) * inner.height;
  const every = namedEvery(bars.length, Math.floor(inner.width / NAME_WIDTH));
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="statistics-hatch-ground" width="5" height="5" />
          <rect className="statistics-hatch-line" width="2" height="5" />
        </pattern>
      </defs>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="statistics-grid" x1={EDGE.start} x2={width - EDGE.end} y1={y(tick)} y2={y(tick)} />
          <text className="statistics-tick" x={EDGE.start - 6} y={y(tick) + 4} textAnchor="end">
            {number(tick)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => {
        const middle = EDGE.start + slot * (index + 0.5);
        return (
          <g key={bar.id} data-bar={bar.id}>
            {index === active && (
              <rect
                className="statistics-active"
                x={middle - slot / 2}
                y={EDGE.top}
                width={slot}
                height={inner.height}
              />
            )}
            <rect
              fill={`url(#${hatch})`}
              className="statistics-bar-other"
              x={middle - thick / 2}
              y={y(bar.calls)}
              width={thick}
              height={y(bar.answered) - y(bar.calls)}
            />
            <rect
              className="statistics-bar-answered"
              x={middle - thick / 2}
              y={y(bar.answered)}
              width={thick}
              height={y(0) - y(bar.answered)}
            />
            {index % every === 0 && (
              <text className="statistics-tick" x={middle} y={HEIGHT - 8} textAnchor="middle">
                {shortNameOf(bar)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function AsTable({ label, bars, unit, nameOf }: Omit<BarChartProps, 'shortNameOf'>) {
  const { t, number } = useWords();
  return (
    <details className="statistics-details">
      <summary>
        {t('statistics.chart.table')}
        <span className="unseen">: {label}</span>
      </summary>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            <th scope="col" className="table-number">
              {t('statistics.calls')}
            </th>
            <th scope="col" className="table-number">
              {t('statistics.chart.answered')}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.id}>
              <th scope="row">{nameOf(bar)}</th>
              <td className="table-number">{number(bar.calls)}</td>
              <td className="table-number">{number(bar.answered)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
