// Destinations of FreePBX, such as `ivr-3,s,1` or `ext-group,600,1` → ours. Those that lead to nothing that was read, or to what has no
// counterpart, are reported, and calls end there.
import { type ForeignAccount, HANGUP } from './foreign-account.ts';
import { FREEPBX_CONTEXTS } from './not-taken-over.ts';

/** What destinations can lead to: our references by the number or id that FreePBX has. */
export interface Targets {
  readonly extensions: ReadonlyMap<string, string>;
  readonly voicemail: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  readonly queues: ReadonlyMap<string, string>;
  readonly menus: ReadonlyMap<string, string>;
  readonly conditions: ReadonlyMap<string, string>;
  readonly announcements: ReadonlyMap<string, string>;
}

const VOICEMAIL = /^vm[a-z]([0-9]+)$/;

export class Destinations {
  readonly #account: ForeignAccount;
  readonly #targets: Targets;

  constructor(account: ForeignAccount, targets: Targets) {
    this.#account = account;
    this.#targets = targets;
  }

  /** `place`: what leads there. Empty: calls end. */
  of(text: string, place: string): string {
    const wanted = text.trim();
    if (wanted === '') return HANGUP;
    const [context = '', item = ''] = wanted.split(',');
    const found = this.#find(context, item);
    if (found !== undefined) return found;
    const known = Object.entries(FREEPBX_CONTEXTS).find(([start]) => context.startsWith(start));
    const what = known ? known[1] : 'not in what was read, or not known';
    this.#account.leave(
      place,
      `it leads to ${JSON.stringify(wanted.slice(0, 100))}: ${what}. Calls end there`,
    );
    return HANGUP;
  }

  #find(context: string, item: string): string | undefined {
    const { extensions, voicemail, groups, queues, menus, conditions, announcements } = this.#targets;
    switch (context) {
      case 'from-did-direct':
      case 'from-internal':
      case 'ext-local': {
        const [, box] = VOICEMAIL.exec(item) ?? [];
        return box === undefined ? extensions.get(item) : voicemail.get(box);
      }
      case 'ext-group':
        return groups.get(item);
      case 'ext-queues':
        return queues.get(item);
      case 'timeconditions':
        return conditions.get(item);
      case 'app-blackhole':
        return HANGUP;
    }
    if (context.startsWith('ivr-')) return menus.get(context.slice('ivr-'.length));
    const announced = context.startsWith('app-announcement-')
      ? context.slice('app-announcement-'.length)
      : null;
    return announced === null ? undefined : announcements.get(announced);
  }
}
