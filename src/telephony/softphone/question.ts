// A request outside dialogs: OPTIONS tests whether the server responds, REGISTER without a Contact gets a challenge and binds nothing
// (RFC 3261 §10.2.3).
import { newCallId, newTag } from '../../sip/ids.ts';
import { type NameAddr, NO_BODY, type SipResponse } from '../../sip/message.ts';
import { formatNameAddr } from '../../sip/name-addr.ts';
import type { Transactions } from '../../sip/transactions/transactions.ts';
import type { Address, Protocol, Transports } from '../../sip/transports/transport.ts';
import { bracketed } from '../../sip/transports/transports.ts';

export interface Question {
  readonly method: 'OPTIONS' | 'REGISTER';
  readonly user: string;
  readonly transactions: Transactions;
  readonly transports: Pick<Transports, 'flowTo'>;
  readonly server: Address;
  readonly protocol: Protocol;
  readonly withinMs: number;
}

/** The final response; null: none within the time. */
export async function ask(question: Question): Promise<SipResponse | null> {
  const { method, user, transactions, transports, server, protocol, withinMs } = question;
  const flow = await transports.flowTo(protocol, server).catch(() => null);
  if (!flow) return null;
  const host = `${bracketed(server.address)}:${server.port}`;
  const uri = `sip:${host}`;
  const us = `sip:${user}@${host}`;
  const from: NameAddr = { display: '', uri: us, params: new Map([['tag', newTag()]]) };
  const to: NameAddr = { display: '', uri: method === 'REGISTER' ? us : uri, params: new Map() };
  const callId = newCallId();
  const cseq = { number: 1, method };
  const headers = [
    ['max-forwards', '70'],
    ['from', formatNameAddr(from)],
    ['to', formatNameAddr(to)],
    ['call-id', callId],
    ['cseq', `1 ${method}`],
  ] as const;
  const draft = { kind: 'request', method, uri, headers, body: NO_BODY, from, to, cseq, callId } as const;
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), withinMs);
    const settle = (answer: SipResponse | null): void => {
      clearTimeout(late);
      resolve(answer);
    };
    transactions.request(draft, flow, {
      responded: (response) => {
        if (response.status >= 200) settle(response);
      },
      failed: () => settle(null),
    });
  });
}
