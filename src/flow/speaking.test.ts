import { expect, test } from 'vitest';
import type { AnnouncementNode } from './node.ts';
import { simulate } from './simulate.ts';
import { aFlow, aMenu, anAnnouncement } from './testing/samples.ts';

const saying = (text: string, parts: Partial<AnnouncementNode> = {}) =>
  anAnnouncement('a', 'hangup||now', { text, ...parts });

const heardOf = (node: AnnouncementNode, variables: { readonly [name: string]: string } = {}) => {
  const trace = simulate(aFlow([node]), { entry: node.ref, variables });
  return { heard: trace.heard.map(({ sound }) => sound), texts: trace.steps.map(({ text }) => text), trace };
};

test('a text is spoken with the variables of the call, in place of the recording', () => {
  const { heard, texts, trace } = heardOf(saying('Order {order} is\n{state}.'), {
    order: '4711',
    state: 'sent',
  });
  expect(heard).toEqual([{ kind: 'speech', text: 'Order 4711 is sent.', instead: expect.anything() }]);
  expect(texts.join('\n')).toContain('Says the announcement: “Order 4711 is sent.”.');
  expect(trace.outcome.destination).toBe('hangup||now');
});

test('a text that is empty, since its variables are not set, gives way to the recording', () => {
  const { heard } = heardOf(saying('{never}', { recording: 'welcome' }));
  expect(heard).toEqual([{ kind: 'recording', id: 'welcome' }]);
  expect(heardOf(saying('{never}', { recording: null })).heard).toMatchObject([{ kind: 'tone' }]);
});

test('a text is cut, whatever variables bring', () => {
  const [sound] = heardOf(saying('{long}{long}'), { long: 'x'.repeat(1_024) }).heard;
  expect(sound).toMatchObject({ kind: 'speech', text: 'x'.repeat(1_000) });
});

test('a menu speaks, and a key stops it', () => {
  const menu = { ...aMenu('m'), text: 'Press one, {caller}.' };
  const trace = simulate(aFlow([menu]), { entry: menu.ref, script: [{ do: 'press', keys: '1' }] });
  expect(trace.heard[0]?.sound).toMatchObject({ kind: 'speech' });
  expect(trace.steps.map(({ code }) => code)).toContain('option-matched');
});
