// The kinds that ask, decide and send: collect, request, switch, message.

import { readData } from '../../domain/row.ts';
import { sealedPlace } from '../../domain/sealed.ts';
import { piecesOf } from '../../flow/variables.ts';
import { readRecord } from '../../kinds/field.ts';
import { FIELDS, readKind } from '../../kinds/fields.ts';
import { collectNode, messageNode, requestNode, switchNode } from '../../kinds/nodes.ts';
import { Faults } from '../../kinds/problem.ts';
import { lintAround } from '../calls/lint.ts';
import { addressOf, type Collection } from './collection.ts';
import { sealFor } from './seal.ts';

const named = ({ name }: { readonly name: string }, needle: string): boolean =>
  name.toLowerCase().includes(needle);

export const collects: Collection<'collect'> = {
  kind: 'collect',
  read: (body) => readKind('collect', body),
  warnings: (collect, request, context, id) => lintAround(collectNode(id, collect), request, context),
  matches: named,
};

export const switches: Collection<'switch'> = {
  kind: 'switch',
  read: (body) => readRecord(FIELDS.switch, body),
  warnings: (data, request, context, id) => lintAround(switchNode(id, data), request, context),
  matches: named,
};

export const messages: Collection<'message'> = {
  kind: 'message',
  read: (body) => readRecord(FIELDS.message, body),
  warnings: (message, request, context, id) => lintAround(messageNode(id, message), request, context),
  matches: named,
};

export const requests: Collection<'request'> = {
  kind: 'request',
  read: (body) => readKind('request', body),
  warnings: (data, request, context, id) => lintAround(requestNode(id, data), request, context),
  /** Names are not looked up: what they mean is asked at every request. The host must be fixed. */
  async refuse({ url }, _request, { safeFetch }) {
    const faults = new Faults();
    const [first = '', ...rest] = piecesOf(url);
    const host = rest.length > 0 ? /^https?:\/\/[^/?#]+[/?#]/i : /^https?:\/\/[^/?#]+/i;
    if (typeof first !== 'string' || !host.test(first))
      faults.add(
        '/url',
        'url_refused',
        'url cannot be used: it must begin with http:// or https:// and a host without variables.',
      );
    const plain = piecesOf(url)
      .map((piece) => (typeof piece === 'string' ? piece : 'x'))
      .join('');
    const reason = safeFetch.refusal(plain);
    if (reason !== null) faults.add('/url', 'url_refused', `url cannot be used: ${reason}`);
    return faults.list.length > 0 ? faults.toProblem() : null;
  },
  /** The secret that was sent, sealed. None was sent: the stored one stays, since it cannot be read and sent again. */
  async complete(data, request, context, id) {
    const { secret } = request.body.value;
    if (typeof secret === 'string')
      return {
        data: {
          ...data,
          sealed_secret: sealFor(context, sealedPlace('request', request.account.id, id), secret),
        },
        version: null,
      };
    const row = await context.storage.getRecord(addressOf('request', request, id));
    if (!row) return { data, version: null };
    const { sealed_secret } = readData('request', row.json);
    return { data: { ...data, sealed_secret }, version: row.version };
  },
  unset: { secret: '' },
  shown: ({ sealed_secret: sealed, ...data }) => ({ ...data, has_secret: sealed !== null }),
  matches: ({ name, url }, needle) =>
    name.toLowerCase().includes(needle) || url.toLowerCase().includes(needle),
};
