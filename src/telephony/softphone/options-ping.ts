// OPTIONS outside any dialog: is there anybody, and who?
import { newCallId, newTag } from '../../sip/ids.ts';
import { headerOf, type NameAddr, NO_BODY } from '../../sip/message.ts';
import { formatNameAddr } from '../../sip/name-addr.ts';
import type { Transactions } from '../../sip/transactions/transactions.ts';
import type { Address, Protocol, Transports } from '../../sip/transports/transport.ts';
import { bracketed } from '../../sip/transports/transports.ts';

export interface OptionsAnswer {
  readonly status: number;
  /** As the Server header says; empty: it says nothing. */
  readonly server: string;
}

export interface Question {
  readonly transactions: Transactions;
  readonly transports: Pick<Transports, 'flowTo'>;
  readonly server: Address;
  readonly protocol: Protocol;
  readonly withinMs: number;
}

export async function ask(question: Question): Promise<OptionsAnswer | null> {
  const { transactions, transports, server, protocol, withinMs } = question;
  const flow = await transports.flowTo(protocol, server).catch(() => null);
  if (!flow) return null;
  const uri = `sip:${bracketed(server.address)}:${server.port}`;
  const from: NameAddr = { display: '', uri: 'sip:doctor@localhost', params: new Map([['tag', newTag()]]) };
  const to: NameAddr = { display: '', uri, params: new Map() };
  const callId = newCallId();
  const cseq = { number: 1, method: 'OPTIONS' };
  const headers = [
    ['max-forwards', '70'],
    ['from', formatNameAddr(from)],
    ['to', formatNameAddr(to)],
    ['call-id', callId],
    ['cseq', '1 OPTIONS'],
  ] as const;
  const draft = { kind: 'request', method: 'OPTIONS', uri, headers, body: NO_BODY, from, to, cseq } as const;
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), withinMs);
    const settle = (answer: OptionsAnswer | null): void => {
      clearTimeout(late);
      resolve(answer);
    };
    transactions.request({ ...draft, callId }, flow, {
      responded: (response) => {
        if (response.status >= 200)
          settle({ status: response.status, server: headerOf(response, 'server') ?? '' });
      },
      failed: () => settle(null),
    });
  });
}
