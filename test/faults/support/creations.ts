// The books of a client that creates IVRs while things break: what it asked for, what it was promised, what it must
// ask again. Every IVR has a name and an Idempotency-Key of its own, and text long enough to be torn.

import type { Agent } from 'node:http';
import { readKind } from '../../../src/kinds/fields.ts';
import { isProblem } from '../../../src/kinds/problem.ts';
import { menu } from '../../support/payload.ts';
import { type Answer, ask } from './http.ts';

export interface Creation {
  readonly name: string;
  readonly key: string;
  readonly description: string;
}

export interface Stored {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

const MAX_TRIES = 50;

export class Creations {
  readonly #prefix: string;
  #made = 0;
  /** By name: the id that the Location of a 201 promised. */
  readonly acknowledged = new Map<string, string>();
  readonly sent = new Map<string, Creation>();
  /** Neither promised nor refused for good: to be asked again with the same key and body. */
  open: Creation[] = [];
  retried = 0;
  replayed = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  next(): Creation {
    const number = ++this.#made;
    const name = `${this.#prefix} ${number}`;
    const creation = { name, key: name, description: `${name} `.repeat(1 + (number % 60)).slice(0, 999) };
    this.sent.set(name, creation);
    return creation;
  }

  async create(agent: Agent, url: string, creation: Creation = this.next()): Promise<Answer> {
    const { name, key, description } = creation;
    const answer = await ask(agent, url, '/v1/ivr', {
      method: 'POST',
      body: JSON.stringify(menu({ name, description })),
      headers: { 'idempotency-key': key },
    });
    const location = answer.headers.location;
    if (answer.status === 201 && location) {
      this.acknowledged.set(name, location.slice('/v1/ivr/'.length));
      if (answer.headers['idempotency-replayed'] === 'true') this.replayed += 1;
    } else this.open.push(creation);
    return answer;
  }

  /** Asks again for everything that is open, until all of it is promised. */
  async settle(agent: Agent, url: string): Promise<void> {
    for (let tries = 0; this.open.length > 0 && tries < MAX_TRIES; tries++) {
      const again = this.open;
      this.open = [];
      this.retried += again.length;
      await Promise.all(again.map((creation) => this.create(agent, url, creation)));
    }
    if (this.open.length > 0) throw new Error(`${this.open.length} IVRs could not be created at all.`);
  }

  /** Holds a list of everything stored against the books. All four are empty when nothing went wrong. */
  compare(stored: readonly Stored[]): Record<'lost' | 'duplicates' | 'invalid' | 'strangers', string[]> {
    const byName = new Map<string, Stored>();
    const duplicates: string[] = [];
    for (const ivr of stored) {
      if (byName.has(ivr.name)) duplicates.push(ivr.name);
      byName.set(ivr.name, ivr);
    }
    return {
      lost: [...this.acknowledged].filter(([name, id]) => byName.get(name)?.id !== id).map(([name]) => name),
      duplicates,
      invalid: stored.filter((ivr) => !this.#isWhole(ivr)).map(({ name }) => name),
      strangers: [...byName.keys()].filter((name) => !this.sent.has(name)),
    };
  }

  #isWhole(ivr: Stored): boolean {
    return (
      !isProblem(readKind('ivr', { ...ivr })) && ivr.description === this.sent.get(ivr.name)?.description
    );
  }
}

export const NOTHING_WRONG = { lost: [], duplicates: [], invalid: [], strangers: [] };

const MAX_PAGES = 5000;

/** All IVRs after a cursor, page by page, and the cursor of the last full page, to go on from later. */
export async function listIvrs(
  agent: Agent,
  url: string,
  from = '',
): Promise<{ ivrs: Stored[]; cursor: string }> {
  const ivrs: Stored[] = [];
  let cursor = from;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(agent, url, `/v1/ivrs?limit=500${cursor && `&cursor=${cursor}`}`);
    if (answer.status !== 200) throw new Error(`List: ${answer.status} ${answer.failed ?? answer.text}`);
    const { data, next_cursor: next } = JSON.parse(answer.text) as {
      data: Stored[];
      next_cursor: string | null;
    };
    ivrs.push(...data);
    if (next === null) return { ivrs, cursor };
    cursor = next;
  }
  throw new Error(`The list has no end: ${MAX_PAGES} pages were read.`);
}
