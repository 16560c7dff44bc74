interface WaveformProps {
  /** From 0 to 1. */
  readonly peaks: readonly number[];
  /** How much of it has been played, from 0 to 1. */
  readonly progress?: number;
  readonly label: string;
}

export function Waveform({ peaks, progress = 0, label }: WaveformProps) {
  const path = peaks
    .map((peak, index) => {
      const height = Math.max(0.6, Math.min(1, peak) * 30);
      return `M${index + 0.5} ${16 - height / 2}v${height}`;
    })
    .join('');
  const width = Math.max(1, peaks.length);
  return (
    <svg
      className="waveform"
      viewBox={`0 0 ${width} 32`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} className="waveform-rest" />
      <svg
        x="0"
        y="0"
        width={width * progress}
        height="32"
        viewBox={`0 0 ${width * progress || 1} 32`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={path} className="waveform-played" />
      </svg>
    </svg>
  );
}
