// Fills a service with the account that the map must bear, through the API.
import { bigAccount, type Sizes } from '../../../console/src/pages/map/testing/big-account.ts';
import type { Signed } from './console.ts';

const AT_ONCE = 32;

interface Write {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: unknown;
}

const post = (path: string) => (body: unknown) => ({ method: 'POST', path, body }) as const;

/** The records as the API takes them. Menus get ids of the service: what points to menu-7 has to learn its id first. */
function writes(sizes: Sizes) {
  const { agent, department, voicemail, announcement, timegroup, number, ivr } = bigAccount(sizes);
  const prompts = {
    recording: 'recording||welcome',
    timeout: 5,
    incorrect_count: 2,
    invalid_recording: 'recording||invalid',
    timeout_retry_recording: 'recording||still-there',
    timeout_recording: 'recording||connecting',
    timeout_tries: 1,
  };
  return {
    agents: agent.map(({ eid, name, intercom }) => post('/v1/agent')({ eid, name, intercom })),
    boxes: voicemail.map(({ name }) => post('/v1/voicemail_box')({ name })),
    departments: department.map(({ id: _id, ...rest }) => post('/v1/department')(rest)),
    announcements: announcement.map(({ id: _id, ...rest }) =>
      post('/v1/announcement')({ ...rest, recording: 'recording||welcome' }),
    ),
    menus: ivr.map(({ id: _id, ...rest }) => post('/v1/ivr')({ ...rest, ...prompts })),
    hours: timegroup.map(({ id: _id, ...rest }) =>
      post('/v1/timegroup')({
        ...rest,
        weekly: [{ days: ['mon'], from: '09:00', to: '17:00' }],
        exceptions: [],
      }),
    ),
    numbers: number.map(({ number: dialled, destination }) =>
      post('/v1/number')({ number: dialled, destination }),
    ),
  };
}

async function send({ url, token }: Signed, list: readonly Write[]): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < list.length; at = next++) {
      const { method, path, body } = list[at] as Write;
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const said = (await answer.json()) as { id?: string; Message: string };
      if (!answer.ok) throw new Error(`${path}: ${said.Message} ${JSON.stringify(said)}`);
      ids[at] = said.id ?? answer.headers.get('location')?.split('/').at(-1) ?? '';
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return ids;
}

/** `ivr||menu-7` → `ivr||` and the id that the service gave to the seventh. */
const renamed = (list: readonly Write[], word: string, name: string, ids: readonly string[]): Write[] => {
  const pattern = new RegExp(`"${word}\\|\\|${name}-(\\d+)"`, 'g');
  return list.map(({ body, ...rest }) => {
    const text = JSON.stringify(body).replace(
      pattern,
      (_whole, index: string) => `"${word}||${ids[Number(index)]}"`,
    );
    return { ...rest, body: JSON.parse(text) as unknown };
  });
};

/** As many records as `sizes` says. */
export async function fill(account: Signed, sizes: Sizes): Promise<void> {
  const all = writes(sizes);
  const [boxes] = await Promise.all([send(account, all.boxes), send(account, all.agents)]);
  const withBoxes = (list: readonly Write[]): Write[] => renamed(list, 'voicemail', 'box', boxes);
  const [departments, closed] = await Promise.all([
    send(account, withBoxes(all.departments)),
    send(account, withBoxes(all.announcements)),
  ]);
  // From the leaves to the roots, level by level: a menu leads to menus with a higher index only.
  const menus = renamed(withBoxes(all.menus), 'department', 'dept', departments);
  const ids: string[] = new Array<string>(menus.length).fill('');
  for (let end = menus.length; end > 0; ) {
    const begin = Math.max(0, Math.ceil((end - sizes.numbers) / 2));
    const level = renamed(menus.slice(begin, end), 'ivr', 'menu', ids);
    for (const [index, id] of (await send(account, level)).entries()) ids[begin + index] = id;
    end = begin;
  }
  const hours = renamed(renamed(all.hours, 'ivr', 'menu', ids), 'announcement', 'closed', closed);
  const hourIds = await send(account, hours);
  await send(account, renamed(renamed(all.numbers, 'ivr', 'menu', ids), 'timegroup', 'hours', hourIds));
}
