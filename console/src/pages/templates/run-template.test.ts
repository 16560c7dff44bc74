import { describe, expect, it } from 'vitest';
import { en } from '../../words/en.ts';
import { runTemplate, type TemplateApi, type TemplateInput, UndoFailed } from './run-template.ts';
import { TEMPLATES, type Template } from './templates.ts';

const INPUT: TemplateInput = {
  name: 'Main',
  language: 'en',
  timezone: 'Asia/Kolkata',
  agents: ['100001'],
  holidays: [{ name: 'Republic Day', from: '2027-01-26', to: null }],
  nameOf: ({ name }) => en[`templates.part.${name}`],
};

/** Records in memory; creation `failAt` fails. */
function bed({ failAt = -1, cannotDelete = '' } = {}) {
  const stored = new Map<string, { kind: string; body: Readonly<Record<string, unknown>> }>();
  let created = 0;
  const add = (kind: string, body: Readonly<Record<string, unknown>>): string => {
    created += 1;
    if (created === failAt) throw new Error('refused');
    stored.set(`${kind}-${created}`, { kind, body });
    return `${kind}-${created}`;
  };
  const api: TemplateApi = {
    create: async (kind, body) => add(kind, body),
    remove: async (_kind, id) => {
      if (id.startsWith(cannotDelete || '?')) throw new Error('no');
      stored.delete(id);
    },
    prompt: async (which, language) => ({
      reference: `recording||${add('recording', { which, language })}`,
      isNew: true,
    }),
  };
  return { stored, api };
}

const sales = TEMPLATES.find(({ id }) => id === 'sales') as Template;

describe('templates', () => {
  it.each(TEMPLATES.map((template) => [template.id, template] as const))(
    '%s creates records whose references all exist',
    async (_, template) => {
      const { stored, api } = bed();
      const root = await runTemplate(template, INPUT, api);
      expect(stored.has(root.split('||')[1] ?? '')).toBe(true);
      const text = JSON.stringify([...stored.values()]);
      expect(text).not.toContain('@');
      for (const [, id] of text.matchAll(
        /"(?:ivr|department|voicemail|announcement|timegroup|recording)\|\|([^"]+)"/g,
      ))
        expect(stored.has(id ?? '')).toBe(true);
      // Each is led to by another, except the one where calls begin, which has the chosen name.
      for (const [id, { kind, body }] of stored)
        if (id === root.split('||')[1]) expect(body['name']).toBe('Main');
        else expect(text, `${kind} ${id}`).toContain(`||${id}"`);
    },
  );

  it('opening hours of a template are closed on the holidays', async () => {
    const { stored, api } = bed();
    await runTemplate(TEMPLATES.find(({ id }) => id === 'office') as Template, INPUT, api);
    const hours = [...stored.values()].find(({ kind }) => kind === 'timegroup');
    expect(hours?.body['exceptions']).toEqual([
      { name: 'Republic Day', from: '2027-01-26', to: null, hours: [] },
    ]);
  });

  it('leaves nothing behind when a record is refused', async () => {
    const count = (await run(sales)).size;
    for (let failAt = 1; failAt <= count; failAt += 1) {
      const { stored, api } = bed({ failAt });
      await expect(runTemplate(sales, INPUT, api)).rejects.toThrow('refused');
      expect(stored.size).toBe(0);
    }
  });

  it('says how many records are left when they cannot be deleted', async () => {
    const { api } = bed({ failAt: 5, cannotDelete: 'department' });
    const failure = await runTemplate(sales, INPUT, api).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UndoFailed);
    expect((failure as UndoFailed).left).toBe(3);
  });
});

async function run(template: Template) {
  const { stored, api } = bed();
  await runTemplate(template, INPUT, api);
  return stored;
}
