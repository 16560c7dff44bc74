// Every picker of the console, one after the other: people first, with state and number, never clipped, never an id.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { en } from '../../console/src/words/en.ts';
import { call, type Json } from '../support/service.ts';
import { inPage } from './support/browser-tools.ts';
import { describeConsole } from './support/console.ts';
import { button } from './support/forms.ts';
import { AT_ONCE, FULL_ENV, type FullCompany, fillAll } from './support/full-company.ts';
import { NOT_WALKED, type Place, places } from './support/picker-places.ts';
import { countRequests, goTo } from './support/places.ts';

const FILL_MS = 240_000;
const WALK_MS = 240_000;
const STATES = [
  'free',
  'ringing',
  'talking',
  'wrap_up',
  'paused',
  'off_duty',
  'blocked',
  'unreachable',
] as const;
const STATE_WORDS: readonly string[] = STATES.map((state) => en[`agentState.${state}`]);
/** Fewer would be a list that lost its people: there are 60. */
const LEAST_PEOPLE = 20;

const READ = `(input) => {
  const list = document.getElementById(input.getAttribute('aria-controls'));
  const box = list.getBoundingClientRect();
  const options = [...list.querySelectorAll('[role=option]')];
  return {
    inside: box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
    wide: list.scrollWidth - list.clientWidth,
    more: list.querySelector('.picker-more')?.textContent ?? '',
    options: options.map((option) => ({
      label: option.querySelector('.picker-label')?.textContent ?? option.textContent,
      note: option.querySelector('small')?.textContent ?? '',
      state: option.querySelector('.badge')?.textContent ?? '',
      isAct: option.querySelector('.picker-act') !== null,
      isCut: [option, ...option.children].some((part) => part.scrollWidth > part.clientWidth + 1
        || part.getBoundingClientRect().right > option.getBoundingClientRect().right + 1),
    })),
  };
}`;

interface ReadList {
  readonly inside: boolean;
  readonly wide: number;
  readonly more: string;
  readonly options: readonly {
    readonly label: string;
    readonly note: string;
    readonly state: string;
    readonly isAct: boolean;
    readonly isCut: boolean;
  }[];
}

describeConsole('every picker', { env: { ...FULL_ENV } }, (console_) => {
  let full: FullCompany | undefined;
  /** Their intercoms, by their names. */
  let people: ReadonlyMap<string, string> = new Map();
  let ids: readonly string[] = [];
  beforeAll(async () => {
    full = await fillAll(console_.service, { calls: 40, pace: AT_ONCE });
    const read = async (path: string): Promise<Json[]> =>
      (await call(console_.service.url, 'GET', `${path}?limit=500`)).json.data;
    const agents = await read('/v2/agents');
    people = new Map(agents.map(({ name, intercom }) => [name, intercom]));
    const lists = ['/v1/ivrs', '/v1/departments', '/v1/timegroups', '/v1/recordings', '/v1/numbers'];
    const others = (await Promise.all(lists.map(read))).flat().map(({ id }) => String(id));
    // Those of the demonstration are words.
    ids = [
      ...agents.map(({ eid }) => String(eid)),
      ...others.filter((id) => id.length >= 8 && /\d/.test(id)),
    ];
  }, FILL_MS);
  afterAll(() => full?.close());

  const hasId = (text: string): boolean =>
    text.includes('||') || ids.some((id) => text.split(/[\s,()·]+/).includes(id));

  function faultsOf(label: string, { inside, wide, options }: ReadList, wanted: boolean): string[] {
    const faults: string[] = [];
    if (!inside) faults.push('the list is outside the window');
    if (wide > 1) faults.push(`the list is ${wide} px wider than it is shown`);
    const offered = options.filter(({ isAct }) => !isAct);
    for (const { label: name, note, isCut } of options) {
      if (isCut) faults.push(`clipped: ${name}`);
      if (hasId(name) || hasId(note)) faults.push(`an id: ${name} ${note}`);
    }
    const found = offered.flatMap((option, index) =>
      people.has(option.label) ? [{ ...option, index }] : [],
    );
    if (!wanted) return found.length > 0 ? [...faults, `people are offered in ${label}`] : faults;
    if (found.length < LEAST_PEOPLE) faults.push(`only ${found.length} people`);
    // Before them only the empty choice.
    const first = found[0]?.index ?? 0;
    if (first > 1) faults.push(`people come after ${first} others`);
    if (found.some(({ index }, place) => index !== first + place)) faults.push('others are among the people');
    for (const { label: name, note, state } of found) {
      if (!note.split(' · ').includes(people.get(name) ?? ''))
        faults.push(`${name} without number: “${note}”`);
      if (!STATE_WORDS.includes(state)) faults.push(`${name} without state: “${state}”`);
    }
    return faults;
  }

  async function openList(picker: Locator, wanted: boolean): Promise<ReadList> {
    await picker.click();
    const read = (): Promise<ReadList> => picker.evaluate(inPage<ReadList>(READ));
    // Records and states come by two ways of their own.
    const isComplete = ({ options }: ReadList): boolean =>
      !wanted || options.filter(({ state }) => state !== '').length >= LEAST_PEOPLE;
    await expect
      .poll(async () => isComplete(await read()))
      .toBe(true)
      .catch(() => undefined);
    return read();
  }

  /** All that are seen, in the dialog if one is open. */
  async function walk(page: Page, { path, people: wanted }: Place): Promise<string[]> {
    const dialog = page.locator('dialog[open]');
    const scope = (await dialog.count()) > 0 ? dialog.last() : page.locator('main');
    const pickers = scope.locator('input[role=combobox]:visible');
    await pickers.first().waitFor();
    const [faults, seen]: [string[], Set<string>] = [[], new Set()];
    for (let index = 0; index < (await pickers.count()); index += 1) {
      const picker = pickers.nth(index);
      const label = (
        await picker.evaluate(inPage<string>(`(input) => input.labels[0]?.firstChild?.textContent ?? ''`))
      ).trim();
      seen.add(label);
      const chosen = await picker.inputValue();
      if (hasId(chosen)) faults.push(`${path} ${label}: shows an id: ${chosen}`);
      const list = await openList(picker, wanted.includes(label));
      faults.push(
        ...faultsOf(label, list, wanted.includes(label)).map((fault) => `${path} ${label}: ${fault}`),
      );
      await page.keyboard.press('Escape');
    }
    const missing = wanted.filter((label) => !seen.has(label));
    return [
      ...faults,
      ...missing.map((label) => `${path}: no picker “${label}” among ${[...seen].join(', ')}`),
    ];
  }

  async function walkAll(
    of: readonly Place[],
    viewport: { width: number; height: number },
  ): Promise<string[]> {
    const faults: string[] = [];
    await console_.visit(
      '/',
      async (page) => {
        countRequests(page);
        for (const place of [...of].sort(
          (a, b) => Number(a.open !== undefined) - Number(b.open !== undefined),
        ))
          try {
            // What a place opened must not be there for the next one.
            if (place.open) await page.goto(`${console_.service.url}/#/`);
            if (place.open) await page.reload();
            await goTo(page, place.path);
            await place.open?.(page);
            faults.push(...(await walk(page, place)));
          } catch (error) {
            faults.push(`${place.files} ${place.path}: ${(error as Error).message.split('\n')[0]}`);
          }
      },
      { viewport },
    );
    return faults;
  }

  const all = (): readonly Place[] => (full ? places(full) : []);

  it('is in the table, wherever one is written', () => {
    const root = fileURLToPath(new URL('../../console/src/pages', import.meta.url));
    const written = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .filter((name) => /<(?:Destination)?Picker\b/.test(readFileSync(join(root, name), 'utf8')));
    expect(written.length).toBeGreaterThan(20);
    const walked = new Set([...all().flatMap(({ files }) => files), ...NOT_WALKED]);
    expect(written.filter((name) => !walked.has(name))).toEqual([]);
    expect([...walked].filter((name) => !written.includes(name))).toEqual([]);
  });

  it(
    'has people first, with state and number, never clipped, never an id',
    async () => {
      expect(await walkAll(all(), { width: 1280, height: 800 })).toEqual([]);
    },
    WALK_MS,
  );

  it(
    'is as good on a phone',
    async () => {
      // The map and the lists of calls have other ways there.
      const simple = all().filter(({ path, open }) => open === undefined && !path.startsWith('/map'));
      expect(simple.length).toBeGreaterThan(6);
      expect(await walkAll(simple, { width: 320, height: 700 })).toEqual([]);
    },
    WALK_MS,
  );

  it('says how many it does not show, and finds them by typing', () =>
    console_.visit('/numbers/new', async (page) => {
      const picker = page.getByRole('combobox', { name: en['numbers.leads'] });
      const { more, options } = await openList(picker, true);
      expect(more).toMatch(/^\d+ more: type to find them\.$/);
      expect(options.filter(({ isAct }) => !isAct)).toHaveLength(60);
      await picker.fill('Travel desk hours');
      await page.getByRole('option', { name: /^Travel desk hours/ }).waitFor();
      expect(await page.locator('.picker-more').count()).toBe(0);
    }));

  it('shows what was deleted by its name', async () => {
    const ask = async (method: string, path: string, body?: object): Promise<Json> => {
      const reply = await call(console_.service.url, method, path, body ? { body } : {});
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.json;
    };
    const eid = '990001';
    await ask('POST', '/v1/agent', { name: 'Zora Left', eid, intercom: '9901' });
    await ask('POST', '/v1/user', {
      name: 'Zora',
      role: 'agent',
      email: 'zora@lotus-travel.example',
      agent: eid,
    });
    await ask('DELETE', `/v1/agent/${eid}?force=true`);
    const { id: shift } = await ask('POST', '/v1/timegroup', { name: 'Late shift', timezone: 'UTC' });
    await ask('POST', '/v1/agent', { name: 'Yann', eid: '990002', intercom: '9902', timegroup_id: shift });
    await ask('DELETE', `/v1/timegroup/${shift}?force=true`);
    const { data: users } = await ask('GET', '/v1/users?limit=500');
    const { agent } = users.find(({ name }: Json) => name === 'Zora');
    const { timegroup_id: left } = await ask('GET', '/v1/agent/990002');
    await console_.visit('/users', async (page) => {
      const shown = (name: string): Promise<string> => page.getByRole('combobox', { name }).inputValue();
      await button(page, en['users.edit.this'].replace('{name}', 'Zora')).click();
      await expect
        .poll(() => shown(en['users.agent']))
        .toBe(agent === null ? en['users.agent.none'] : 'Zora Left (deleted)');
      await page.keyboard.press('Escape');
      await page.goto(`${console_.service.url}/#/agents/990002`);
      await expect
        .poll(() => shown(en['agents.hours']))
        .toBe(left === null ? en['agents.hours.always'] : 'Late shift (deleted)');
    });
  });
});
