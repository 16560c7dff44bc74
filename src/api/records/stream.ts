// Streams to voice bots.

import { readData } from '../../domain/row.ts';
import { sealedPlace } from '../../domain/sealed.ts';
import { piecesOf } from '../../flow/variables.ts';
import { readKind } from '../../kinds/fields.ts';
import { streamNode } from '../../kinds/nodes.ts';
import { Faults } from '../../kinds/problem.ts';
import { lintAround } from '../calls/lint.ts';
import { addressOf, type Collection } from './collection.ts';
import { sealFor } from './seal.ts';

export const streams: Collection<'stream'> = {
  kind: 'stream',
  read: (body) => readKind('stream', body),
  warnings: (data, request, context, id) => lintAround(streamNode(id, data), request, context),
  /** Names are not looked up: what they mean is asked for every call. The host must be fixed. */
  async refuse({ url }, _request, { safeFetch }) {
    const faults = new Faults();
    const [first = '', ...rest] = piecesOf(url);
    const host = rest.length > 0 ? /^wss?:\/\/[^/?#]+[/?#]/i : /^wss?:\/\/[^/?#]+/i;
    if (typeof first !== 'string' || !host.test(first))
      faults.add(
        '/url',
        'url_refused',
        'url cannot be used: it must begin with wss:// or ws:// and a host without variables.',
      );
    else {
      const plain = piecesOf(url)
        .map((piece) => (typeof piece === 'string' ? piece : 'x'))
        .join('');
      const reason = safeFetch.refusal(plain.replace(/^ws/i, 'http'));
      if (reason !== null) faults.add('/url', 'url_refused', `url cannot be used: ${reason}`);
    }
    return faults.list.length > 0 ? faults.toProblem() : null;
  },
  /** The secret that was sent, sealed. None was sent: the stored one stays, since it cannot be read and sent again. */
  async complete(data, request, context, id) {
    const { secret } = request.body.value;
    if (typeof secret === 'string')
      return {
        data: {
          ...data,
          sealed_secret: sealFor(context, sealedPlace('stream', request.account.id, id), secret),
        },
        version: null,
      };
    const row = await context.storage.getRecord(addressOf('stream', request, id));
    if (!row) return { data, version: null };
    const { sealed_secret } = readData('stream', row.json);
    return { data: { ...data, sealed_secret }, version: row.version };
  },
  unset: { secret: '' },
  shown: ({ sealed_secret: sealed, ...data }) => ({ ...data, has_secret: sealed !== null }),
  matches: ({ name, url }, needle) =>
    name.toLowerCase().includes(needle) || url.toLowerCase().includes(needle),
};
