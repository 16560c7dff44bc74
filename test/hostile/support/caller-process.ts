// Many calls from another namespace: called, heard, keys pressed, hung up. What became of them is one line of JSON.
import { Phone } from '../../support/phone/phone.ts';

export interface CallerQuestion {
  readonly server: { readonly host: string; readonly port: number };
  readonly host: string;
  readonly number: string;
  readonly hz: number;
  readonly calls: number;
  readonly perSecond: number;
  /** How many keys each call presses, of 1 to 4. */
  readonly keys: number;
}

export interface CallerAnswer {
  readonly completed: number;
  readonly failures: readonly string[];
  /** Keys pressed, by Call-ID, of calls that came so far. */
  readonly pressed: Readonly<Record<string, string>>;
}

/** What lost packets cost: a request and its answer have 32 s each (RFC 3261, 64·T1). */
const LONGEST = { withinMs: 40_000 };

async function one(phone: Phone, question: CallerQuestion, pressed: Record<string, string>): Promise<string> {
  const call = await phone.call(question.number);
  try {
    const status = await call.finished(LONGEST);
    if (status !== 200) return `refused with ${status}`;
    await call.hears(question.hz, { forMs: 60, ...LONGEST });
    const keys = Array.from({ length: question.keys }, () =>
      '1234'.charAt(Math.floor(Math.random() * 4)),
    ).join('');
    await call.pressKeys(keys, { durationMs: 80, gapMs: 80 });
    // A caller does not hang up at the very moment of the last key.
    await call.sendSilence(300);
    if (call.end !== null) return `ended early: ${call.end.text}`;
    pressed[call.dialog.callId] = keys;
    await call.hangUp();
    const bye = phone.log.filter(({ way, text }) => way === 'received' && /^CSeq: \d+ BYE/im.test(text));
    const answered = bye.some(
      ({ first, text }) => first.startsWith('SIP/2.0 200') && text.includes(call.dialog.callId),
    );
    return answered ? '' : 'the BYE was never answered';
  } catch (error) {
    return String(error).slice(0, 300);
  } finally {
    call.abandon();
  }
}

async function main(): Promise<void> {
  const question = JSON.parse(process.argv[2] ?? '') as CallerQuestion;
  const pressed: Record<string, string> = {};
  const results: Promise<string>[] = [];
  const startMs = performance.now();
  for (let index = 0; index < question.calls; index += 1) {
    const dueMs = startMs + (index * 1_000) / question.perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    results.push(
      Phone.open({ server: question.server, host: question.host }).then(async (phone) => {
        const result = await one(phone, question, pressed);
        phone.close();
        return result;
      }),
    );
  }
  const failures = (await Promise.all(results)).filter((result) => result !== '');
  const answer: CallerAnswer = { completed: question.calls - failures.length, failures, pressed };
  process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
}

void main();
