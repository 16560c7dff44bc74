// A small line of figures without axes: the shape of a day. The figures themselves stand beside it.
import './sparkline.css';

const [WIDTH, HEIGHT] = [120, 32];

/** Points of a polyline: the highest value touches the top, 0 the bottom. Of `slots` places from left to right the first ones. */
export function sparkPoints(
  values: readonly number[],
  most = Math.max(1, ...values),
  slots = values.length,
): string {
  const step = slots > 1 ? WIDTH / (slots - 1) : 0;
  const y = (value: number): number => HEIGHT - 1 - (Math.min(value, most) / most) * (HEIGHT - 2);
  return values.map((value, index) => `${(index * step).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}

interface SparklineProps {
  readonly values: readonly number[];
  /** Drawn behind it, such as the same weekday before: place by place the same times. The longer one has the whole width. */
  readonly before?: readonly number[];
}

export function Sparkline({ values, before = [] }: SparklineProps) {
  const most = Math.max(1, ...values, ...before);
  const slots = Math.max(values.length, before.length);
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {before.length > 1 && (
        <polyline className="sparkline-before" points={sparkPoints(before, most, slots)} />
      )}
      {values.length > 1 && <polyline points={sparkPoints(values, most, slots)} />}
    </svg>
  );
}
