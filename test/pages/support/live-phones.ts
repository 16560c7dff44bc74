// Telephones around a service that takes calls: what real callers show on the pages.
import type { Service } from '../../support/service.ts';

/** Where it takes UDP, as its first line in the log says. */
export function sipOf({ log }: Pick<Service, 'log'>): { host: string; port: number } {
  for (const line of log) {
    const { sip } = JSON.parse(line) as { sip?: string[] };
    const udp = sip?.find((each) => each.startsWith('udp '))?.slice('udp '.length);
    if (!udp) continue;
    const colon = udp.lastIndexOf(':');
    return { host: udp.slice(0, colon), port: Number(udp.slice(colon + 1)) };
  }
  throw new Error('The service takes no calls.');
}
