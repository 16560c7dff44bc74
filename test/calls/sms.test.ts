// Rule 3: the SMS of an option, from the key that a caller presses to an SMSC by another hand.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { call, type Json } from '../support/service.ts';
import { type Smsc, startSmsc } from '../support/smsc/smsc.ts';
import { PhoneBed, type Step, step, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'one', 'invalid', 'retry', 'timeout');
let smsc: Smsc;
let bed: PhoneBed;

beforeAll(async () => {
  smsc = await startSmsc();
  await smsc.tell({ type: 'behave', behaviour: { receipts: 'DELIVRD' } });
  bed = await PhoneBed.open({
    recordings,
    settings: { sms_templates: true },
    smsTemplates: {
      hello: { text: '{caller} pressed {option} in {ivr} for {destination} at {dialled}: ¡olé {agent}!' },
      resting: { status: 'inactive' },
    },
    menus: {
      main: {
        name: 'Casa Ñandú',
        option: ['1', '2', '3'],
        destination: ['ivr||one', 'ivr||one', 'ivr||one'],
        sms_template: ['hello', 'resting', 'gone'],
      },
      one: { name: 'The office', recording: 'recording||one' },
    },
    agents: { '1001': {} },
    numbers: { '100': 'ivr||main' },
    env: {
      SMS_URL: `smpp://dialtree:secret@127.0.0.1:${smsc.port}`,
      SMS_SENDER: '+4930999',
      SMS_PER_MINUTE: '2',
    },
  });
});

afterAll(async () => {
  await bed?.close();
  await smsc?.stop();
});

/** Presses a key in the menu, hears where it leads, hangs up; what the record says of SMS. */
async function press(
  key: string,
  phone?: Parameters<PhoneBed['dial']>[1],
): Promise<{ text: string; id: string }> {
  const line = await bed.reach('100', phone);
  await line.hears(hz.prompt, { forMs: 80 });
  await line.pressKeys(key);
  await line.hears(hz.one, { forMs: 80 });
  await line.hangUp();
  const record = await bed.record(line);
  const found = record.steps.find(({ code }: Step) => code === 'sms-queued' || code === 'sms-skipped');
  return { text: found?.text ?? '', id: record.id };
}

it('is sent to the caller, filled in, and delivered; the trail and the list name it', async () => {
  const { text, id } = await press('1');
  const [, messageId = ''] =
    /^SMS template “hello” is queued for \S+\. It is message (\S+)\.$/.exec(text) ?? [];
  expect(messageId, text).not.toBe('');
  const message: Json = await vi.waitFor(
    async () => {
      const { json } = await call(bed.pbx.url, 'GET', `/v1/sms/${messageId}`);
      expect(json.state).toBe('delivered');
      return json;
    },
    { interval: 20 },
  );
  expect(message).toMatchObject({ call_id: id, template: 'hello', parts: 1 });
  expect(message.text).toBe(`${message.to} pressed 1 in Casa Ñandú for The office at 100: ¡olé !`);
  expect(smsc.submitted).toMatchObject([
    { id: messageId, to: message.to, from: '4930999', fromType: 1, text: message.text },
  ]);
  const { json } = await call(bed.pbx.url, 'GET', `/v1/sms?call_id=${id}`);
  expect(json.data.map((one: Json) => one.id)).toEqual([messageId]);
});

it('is not sent by a template that is inactive or missing, and the caller goes on', async () => {
  expect((await press('2')).text).toBe('SMS template “resting” is not used: it is inactive.');
  expect((await press('3')).text).toBe('SMS template gone is not used: it does not exist.');
});

it('is not sent to an intercom, nor beyond what an account may send in a minute', async () => {
  const agent = await bed.agent('1001');
  const inside = await agent.call('100');
  await inside.hears(hz.prompt, { forMs: 80 });
  await inside.pressKeys('1');
  await inside.hears(hz.one, { forMs: 80 });
  await inside.hangUp();
  expect(step(await bed.record(inside), 'sms-skipped')?.text).toContain(
    '1001 is not a number that can receive an SMS',
  );
  const texts: string[] = [];
  for (let calls = 0; calls < 6 && !texts.at(-1)?.startsWith('No SMS'); calls++)
    texts.push((await press('1')).text);
  expect(texts.at(-1)).toBe('No SMS: the account may send no more in this minute.');
});
