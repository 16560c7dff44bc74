// The RTP port range in whole pairs: RTP on an even port, RTCP on the next.

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

const even = (port: number): number => port + (port % 2);

const pairsOf = ({ from, to }: PortRange): number => Math.max(0, Math.floor((to - even(from) + 1) / 2));

export function divide(ports: PortRange, workers: number): PortRange[] {
  const pairs = pairsOf(ports);
  const count = Math.max(1, Math.min(workers, pairs));
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * pairs) / count);
    const next = Math.floor(((index + 1) * pairs) / count);
    return { from: even(ports.from) + first * 2, to: even(ports.from) + next * 2 - 1 };
  });
}
