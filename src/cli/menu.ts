// dialtree menu: the daily chores around menus.

import { openAsBlob, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { all, type Client, DialtreeError, type Input, type Output } from '../../client/client.ts';
import { FIELDS } from '../kinds/fields.ts';
import { ownCommand } from '../kit/own-command.ts';
import { readMember } from './api.ts';
import { type Command, CommandError, parseWords, table, UnknownWordError, UsageError } from './command.ts';
import { print } from './io.ts';
import { cell, REMOTE_DETAILS, REMOTE_OPTIONS, said, show, toArray, withService } from './remote.ts';

/** What a caller hears, in the order of a call. */
const SOUNDS = [
  'recording',
  'invalid_recording',
  'recording_invalid',
  'timeout_retry_recording',
  'timeout_recording',
] as const;
type SoundField = (typeof SOUNDS)[number];

const OPTIONS = {
  ...REMOTE_OPTIONS,
  as: { type: 'string' },
  'skip-tests': { type: 'boolean' },
  force: { type: 'boolean' },
} as const;
type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values'];
type Menu = Output<'getIvr'>;
/** Its answers are the words of the service. */
type Dialtree = Client<'minimal'>;
type Changes = NonNullable<Input<'patchIvr'>['body']>;

export const menu: Command = {
  usage: [
    ['menu list', 'list the menus'],
    ['menu show <menu>', 'one menu: its fields, its keys, and what the linter says'],
    ['menu set <menu> <field=value…>', 'change fields; the former version is kept'],
    ['menu key <menu> <key> <destination>|none', 'point a key at a destination, or take it away'],
    ['menu play <menu> <recording>|<file> [--as <field>]', 'have it play a recording, or a sound file'],
    ['menu copy <menu> <name>', 'make a new menu like it'],
    ['menu versions <menu>', 'list its versions, newest first'],
    ['menu restore <menu> <version>', 'make a former version the newest'],
    ['menu remove <menu> [--force]', 'delete a menu that nothing leads to'],
  ],
  details: [
    'A menu is named by its id, or by its name where one menu has it. The next call follows the change; calls under way go on as',
    'they began. A destination is written as in the API: "extension||100001", "department||sales", "ivr||main".',
    `Fields of "set": ${Object.keys(FIELDS.ivr).join(', ')}; docs/menu.md explains them. field:=json sets lists.`,
    '',
    `--as <field>      which sound, of ${SOUNDS.join(', ')}; default: recording, the greeting.`,
    '--skip-tests      store it even if tests that the menu carries fail.',
    '--force           delete it even if something leads to it.',
    ...REMOTE_DETAILS,
  ],
  options: OPTIONS,
  examples: [
    'menu set main timeout=5 timeout_tries=2',
    'menu key main 3 "department||sales"',
    'menu play main christmas.mp3',
    'menu restore main 4',
  ],
  async run(words, config) {
    const { values, positionals } = parseWords(words, OPTIONS);
    const [action, which = '', ...rest] = positionals;
    return withService(config, values, async (dialtree) => {
      if (action === 'list') return list(dialtree, values);
      if (action === undefined) throw new UsageError('Say what to do with menus.');
      if (which === '') throw new UsageError(`Say which menu: "${ownCommand()} menu list" shows them.`);
      const found = await findMenu(dialtree, which);
      return act(action, dialtree, found, rest, values).catch((error: unknown) => {
        if (!(error instanceof DialtreeError) || error.code !== 'tests_failed') throw error;
        throw new CommandError(error.message.replace('?skip_tests=true', '--skip-tests'));
      });
    });
  },
};

async function act(
  action: string,
  dialtree: Dialtree,
  { menu: found, etag }: Found,
  rest: readonly string[],
  values: Values,
): Promise<number> {
  const [first = '', second = ''] = rest;
  const { id } = found;
  const change = async (body: Changes): Promise<number> => {
    const answer = await dialtree.patchIvr({ params: { id }, query: skipTests(values), body, ifMatch: etag });
    return said(answer, values);
  };
  switch (action) {
    case 'show':
      return printMenu(found, values);
    case 'set':
      if (rest.length === 0) throw new UsageError('Say what to change: timeout=5.');
      return change(Object.fromEntries(rest.map(readField)));
    case 'key':
      if (first === '' || second === '') throw new UsageError('Say which key, and where it leads.');
      return change(withKey(found, first, second));
    case 'play':
      if (first === '') throw new UsageError('Say which recording or sound file.');
      return change({ [soundField(values.as)]: await recordingOf(dialtree, first) });
    case 'copy':
      if (first === '') throw new UsageError('Say the name of the new menu.');
      return copy(dialtree, found, first, values);
    case 'versions': {
      const versions = await toArray(all(dialtree.listIvrVersions, {}, { params: { id } }));
      return show(
        versions,
        ['version', 'updated_at', 'name', 'timeout', 'option'],
        values,
        'There are none.',
      );
    }
    case 'restore':
      if (first === '')
        throw new UsageError(`Say which version: "${ownCommand()} menu versions" shows them.`);
      return said(
        await dialtree.restoreIvr({ params: { id, version: first }, query: skipTests(values) }),
        values,
      );
    case 'remove':
      return said(
        await dialtree.deleteIvr({ params: { id }, query: values.force ? { force: 'true' } : {} }),
        values,
      );
    default:
      throw new UsageError('Say what to do with menus.');
  }
}

const skipTests = (values: Values) => (values['skip-tests'] ? { skip_tests: 'true' as const } : {});

async function list(dialtree: Dialtree, values: Values): Promise<number> {
  const menus = await toArray(all(dialtree.listIvrs));
  const rows = menus.map((each) => ({ ...each, keys: each.option.join(' ') }));
  if (values.json) return show(menus, [], values, '');
  return show(
    rows,
    ['id', 'name', 'keys', 'timeout', 'version', 'updated_at'],
    values,
    'There are no menus.',
  );
}

interface Found {
  readonly menu: Menu;
  /** What a change is based on: another one meanwhile is not lost. */
  readonly etag: string;
}

async function findMenu(dialtree: Dialtree, which: string): Promise<Found> {
  const read = async (id: string): Promise<Found> => {
    const { data, etag } = await dialtree.getIvr({ params: { id } }).withHeaders();
    return { menu: data, etag: etag ?? '' };
  };
  try {
    return await read(which);
  } catch (error) {
    if (!(error instanceof DialtreeError) || error.status !== 404) throw error;
  }
  const named = (await toArray(all(dialtree.listIvrs))).filter(({ name }) => name === which);
  const [one, ...others] = named;
  if (!one) throw new CommandError(`There is no menu "${which}": "${ownCommand()} menu list" shows all.`);
  if (others.length > 0)
    throw new CommandError(
      `Several menus are called "${which}"; use the id: ${named.map(({ id }) => id).join(', ')}.`,
    );
  return read(one.id);
}

/** `timeout=5`, `sensitive=true`, `option:=["1","2"]`. */
function readField(text: string): [string, unknown] {
  const { name, value } = readMember(text);
  const fields = Object.keys(FIELDS.ivr);
  if (!fields.includes(name)) throw new UnknownWordError(`A menu has no field "${name}".`, name, fields);
  const isSwitch = value === 'true' || value === 'false';
  return [name, isSwitch && name !== 'name' && name !== 'description' ? value === 'true' : value];
}

/** The SMS template and webhook of a key stay with it. */
function withKey(found: Menu, key: string, destination: string): Changes {
  const at = found.option.indexOf(key);
  const isRemoval = destination === 'none';
  if (isRemoval && at < 0)
    throw new CommandError(`The menu has no key ${key}; it has ${found.option.join(', ')}.`);
  if (at >= 0 && !isRemoval)
    return { destination: found.destination.map((each, index) => (index === at ? destination : each)) };
  if (!isRemoval) return { option: [...found.option, key], destination: [...found.destination, destination] };
  const others = <Item>(items: readonly Item[] | null | undefined): Item[] =>
    (items ?? []).filter((_, index) => index !== at);
  return {
    option: others(found.option),
    destination: others(found.destination),
    sms_template: others(found.sms_template),
    webhook: others(found.webhook),
  };
}

function soundField(given: string | undefined): SoundField {
  const field = SOUNDS.find((each) => each === (given ?? 'recording'));
  if (field) return field;
  throw new UnknownWordError(`A menu plays no "${given}".`, given ?? '', SOUNDS);
}

/** A file of this machine is uploaded; anything else is the id of a recording. */
async function recordingOf(dialtree: Dialtree, what: string): Promise<string> {
  if (!statSync(what, { throwIfNoEntry: false })?.isFile())
    return `recording||${what.replace(/^recording\|\|?/, '')}`;
  const form = new FormData();
  form.set('file', await openAsBlob(what), basename(what));
  form.set('name', basename(what, extname(what)));
  const { id } = await dialtree.createRecording({ body: form });
  return `recording||${id}`;
}

async function copy(dialtree: Dialtree, found: Menu, name: string, values: Values): Promise<number> {
  const fields = Object.fromEntries(
    Object.keys(FIELDS.ivr).flatMap((field) => {
      const value = (found as unknown as Record<string, unknown>)[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const body = { ...(fields as Input<'createIvr'>['body']), name };
  const { data: answer, location } = await dialtree
    .createIvr({ body, query: skipTests(values) })
    .withHeaders();
  const id = location?.split('/').at(-1);
  return said({ ...answer, Message: `${answer.Message} Its id is ${id}.` }, values);
}

function printMenu(found: Menu, values: Values): number {
  if (values.json) {
    print(`${JSON.stringify(found, null, 2)}\n`);
    return 0;
  }
  const { option, destination, sms_template, webhook, tests, warnings, ...rest } = found;
  const fields = Object.entries(rest).map(([name, value]) => [name, cell(value)]);
  const keys = option.map((key, at) => [
    key,
    cell(destination[at]),
    cell(sms_template?.[at]),
    cell(webhook?.[at]),
  ]);
  const lines = [
    table(fields),
    '',
    table([['KEY', 'DESTINATION', 'SMS TEMPLATE', 'WEBHOOK'], ...keys]),
    ...((tests ?? []).length > 0 ? ['', `${tests?.length} tests: ${ownCommand()} test`] : []),
    ...warnings.map(({ pointer, message }) => `warning: ${cell(pointer)}: ${cell(message)}`),
  ];
  print(`${lines.join('\n')}\n`);
  return 0;
}
