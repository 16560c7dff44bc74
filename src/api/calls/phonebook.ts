// The phonebook of desk phones: the colleagues and contacts of an account, as XML. The address of an agent's phone is its key.

import { readRow } from '../../domain/row.ts';
import { problem } from '../../kinds/problem.ts';
import { audited } from '../account/audit.ts';
import { type ApiContext, done, type Handler } from '../http/handler.ts';
import { object, string } from '../schemas/output.ts';
import { agentOf, openAddress, sealAddress } from './phone-address.ts';
import { type PhonebookEntry, phonebookFile } from './phonebook-files.ts';

const PLACE = 'phonebook of a phone';
/** More than any desk phone shows. */
const MAX_ENTRIES = 5_000;
const PAGE = 500;

export const PHONEBOOK_OUTPUT = {
  code: string,
  paths: object({ yealink: string, snom: string, grandstream: string }),
};

export const createPhonebook: Handler = async (request, context) => {
  const agent = (await request.directory()).agents.get(request.params['eid'] ?? '');
  if (!agent) return problem('record_unknown', 'There is no agent with this eid.');
  const code = sealAddress(PLACE, agent, Number.MAX_SAFE_INTEGER, request, context);
  await audited(request, context, 'phonebook', 'agent', agent.id);
  const folder = `/phonebook/${code}`;
  // A Grandstream adds the name of its file.
  const paths = { yealink: `${folder}/yealink.xml`, snom: `${folder}/snom.xml`, grandstream: folder };
  return done(200, 'Address made; it works until the agent gets another SIP password.', {
    members: { code, paths },
  });
};

/** For everybody who has the address. Some phones ask by POST. */
export const getPhonebook: Handler = async (request, context) => {
  const { code = '', file = '' } = request.params;
  const written = phonebookFile(file);
  if (!written) return problem('path_unknown', 'There is no such file.');
  const address = openAddress(PLACE, code, request.nowMs, context);
  const isRight = address !== null && (await agentOf(address, context)) !== null;
  const nowMs = performance.now();
  const seconds = isRight
    ? context.signIns.takePhonebook(code, nowMs)
    : context.signIns.take(request.address, null, nowMs);
  if (seconds > 0) {
    const headers = { 'retry-after': String(seconds) };
    return problem('rate_limited', `There were too many tries; wait ${seconds} s.`, { headers });
  }
  if (!isRight)
    return problem('record_unknown', 'This address is wrong, or the agent has another SIP password since.');
  const { type, text } = written(await entriesOf(address.accountId, context));
  return { status: 200, headers: { 'content-type': type }, bytes: request.isHead ? '' : text };
};

/** Colleagues come first, so that a phone that takes few entries has them. Both are sorted by name. */
async function entriesOf(accountId: string, context: ApiContext): Promise<PhonebookEntry[]> {
  const colleagues: PhonebookEntry[] = [];
  for await (const { name, intercom } of listed('agent', accountId, context))
    if (intercom !== '') colleagues.push({ name, company: '', numbers: [intercom] });
  const contacts: PhonebookEntry[] = [];
  for await (const contact of listed('contact', accountId, context)) contacts.push(contact);
  return [...colleagues.sort(byName), ...contacts.sort(byName)].slice(0, MAX_ENTRIES);
}

const collator = new Intl.Collator();
const byName = (one: PhonebookEntry, other: PhonebookEntry): number => collator.compare(one.name, other.name);

/** Other requests are answered between two pages. */
async function* listed<K extends 'agent' | 'contact'>(kind: K, accountId: string, context: ApiContext) {
  let count = 0;
  for (let afterId = ''; count < MAX_ENTRIES; ) {
    const rows = await context.storage.listRecords({ accountId, kind, afterId, limit: PAGE });
    for (const row of rows) yield readRow(kind, row).data;
    count += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    afterId = last.id;
    await context.turns.next(accountId);
  }
}
