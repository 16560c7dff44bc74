// A QR code as one SVG path. The encoder is loaded when needed.
import { useMemo } from 'react';
import { encode } from 'uqr';
import { QUIET, qrPath } from './qr-path.ts';

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, size } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: 0 });
    return { path: qrPath(code.data), size: code.size };
  }, [text]);
  const whole = size + 2 * QUIET;
  return (
    <svg className="guide-qr" role="img" aria-label={label} viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}>
      <rect x={-QUIET} y={-QUIET} width={whole} height={whole} fill="#ffffff" />
      <path d={path} fill="#000000" shapeRendering="crispEdges" />
    </svg>
  );
}
