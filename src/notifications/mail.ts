// E-mail about messages that callers left. Everything in it may come from a stranger, so nothing of it is a header but the
// caller's number, and that without whatever could end a line.
import type { PublishedEvent } from '../calls/events/call-events.ts';
import type { OutboxJob } from '../domain/outbox-job.ts';
import { labelled, type Words } from '../domain/words/words.ts';

const MAX_SHOWN = 100;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** With a link that signs its reader in: neither the database nor a backup has it in clear. */
export interface SealedMail extends Omit<Mail, 'text'> {
  readonly sealed: string;
}

interface VoicemailEvent {
  readonly call?: { readonly caller?: unknown; readonly caller_name?: unknown; readonly dialled?: unknown };
  readonly voicemail?: {
    readonly id?: unknown;
    readonly box?: unknown;
    readonly box_name?: unknown;
    readonly duration_ms?: unknown;
    readonly audio?: unknown;
    readonly email?: unknown;
  };
  readonly email?: unknown;
}

/** The e-mail jobs of an event. Without an SMTP server there are none, and `unset` is called once. */
export function mailJobs(
  canSend: boolean,
  unset: () => void,
  wordsOf: (accountId: string) => Words,
): (event: PublishedEvent) => readonly OutboxJob[] {
  let reported = false;
  return (event) => {
    const { voicemail, email } = event.data as VoicemailEvent;
    const to = email ?? voicemail?.email;
    if (typeof to !== 'string' || !isAddress(to)) return [];
    if (!canSend) {
      if (!reported) unset();
      reported = true;
      return [];
    }
    const { id, accountId, atMs } = event;
    const json = JSON.stringify({ to, ...writeMail(event, wordsOf(accountId)) } satisfies Mail);
    return [
      { id: `${id}.email`, accountId, lane: 'email', orderKey: '', dueAtMs: atMs, createdAtMs: atMs, json },
    ];
  };
}

/** One address and nothing else: no list, no name, no comment. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]{1,189}$/.test(text);
}

const shown = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== ''
    ? value.replace(/\p{C}/gu, ' ').slice(0, MAX_SHOWN).toWellFormed()
    : otherwise;

function writeMail({ data, atMs }: PublishedEvent, { voicemail: words, mail }: Words): Omit<Mail, 'to'> {
  const { call = {}, voicemail = {} } = data as VoicemailEvent;
  const { unknown } = words;
  const caller = shown(call.caller, words.withheld);
  const name = shown(call.caller_name, '');
  const { duration_ms: durationMs } = voicemail;
  const duration = typeof durationMs === 'number' ? mail.seconds(Math.round(durationMs / 1000)) : unknown;
  const lines = [
    labelled(mail.from, `${caller}${name === '' ? '' : ` (${name})`}`),
    labelled(words.to, shown(call.dialled, unknown)),
    labelled(words.box, shown(voicemail.box_name ?? voicemail.box, unknown)),
    labelled(mail.time, new Date(atMs).toISOString()),
    labelled(words.duration, duration),
    labelled(words.listen, `GET ${shown(voicemail.audio, unknown)}`),
  ];
  return { subject: words.subject(caller), text: `${lines.join('\n')}\n` };
}
