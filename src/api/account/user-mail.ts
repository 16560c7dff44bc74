// E-mail that invites a user or lets them set another password. It goes out by the operator's SMTP server alone, which no account can
// change, and its link begins with PUBLIC_URL alone: the Host of a request is whatever its sender wrote. The text is sealed until it is sent.

import type { Account } from '../../domain/account.ts';
import { newId } from '../../domain/id.ts';
import type { OutboxJob } from '../../domain/outbox-job.ts';
import { mailPlace } from '../../domain/sealer.ts';
import type { User, UserLinkUse } from '../../domain/user.ts';
import { wordsOf } from '../../domain/words/words.ts';
import { userLinkPath } from '../../kit/credentials.ts';
import type { ApiContext } from '../http/handler.ts';

/** False: there is no SMTP server, or the account has sent as much as it may (threat T48). */
export async function mailUserLink(
  { accountId, email, name }: User,
  { name: accountName, settings }: Pick<Account, 'name' | 'settings'>,
  use: UserLinkUse,
  secret: string,
  { capabilities, publicUrl, storage, sealer, mayMail }: ApiContext,
  nowMs: number,
): Promise<boolean> {
  if (!capabilities.email || !(await mayMail(accountId))) return false;
  const words = wordsOf(settings).userLink;
  const place = publicUrl
    ? `${words.open}\n\n${publicUrl}${userLinkPath(secret)}`
    : `${words.add}\n\n${userLinkPath(secret)}`;
  const isInvitation = use === 'invite';
  const why = isInvitation ? words.invited(plain(accountName)) : words.asked(plain(accountName));
  const subject = isInvitation ? words.invitation : words.reset;
  const text = `${words.hello(plain(name))}\n\n${why}\n\n${place}\n`;
  const id = newId(nowMs);
  const sealed = sealer.seal(text, mailPlace(accountId, id));
  const job: OutboxJob = {
    id,
    accountId,
    lane: 'email',
    orderKey: '',
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    json: JSON.stringify({ to: email, subject, sealed }),
  };
  const { refused } = await storage.addJobs({ jobs: [job] });
  return refused.length === 0;
}

const plain = (text: string): string => text.replace(/\p{C}/gu, ' ').slice(0, 100);
