// Templates of common flows, as data: the records of each, in the order in which they are created. `@key` refers to an earlier one.
import type { PromptLanguage } from '../../../../src/domain/account.ts';
import type { IconName } from '../../kit/icon.tsx';
import type { Key } from '../../words/words.tsx';
import type { ShippedPrompt } from '../prompts/built-in.ts';

type PartName<K = Key> = K extends `templates.part.${infer Name}` ? Name : never;

interface Part {
  readonly key: string;
  /** Its name in the user's language; the last part has the name that the user chose. */
  readonly name: PartName;
}

export type TemplateStep = Part &
  (
    | { readonly kind: 'voicemail' }
    | { readonly kind: 'department'; readonly failover: string }
    | { readonly kind: 'announcement'; readonly prompt: ShippedPrompt; readonly to: string }
    | { readonly kind: 'timegroup'; readonly open: string; readonly closed: string }
    | {
        readonly kind: 'ivr';
        readonly prompt: ShippedPrompt;
        /** The language of the prompts; without it the account's. */
        readonly language?: PromptLanguage;
        readonly options: readonly (readonly [keys: string, to: string])[];
        /** After wrong keys and silence. */
        readonly otherwise: string;
      }
  );

export interface Template {
  readonly id: TemplateId;
  readonly icon: IconName;
  readonly steps: readonly TemplateStep[];
}

type TemplateId<K = Key> = K extends `templates.${infer Id}.title` ? Id : never;

const BOX = { key: 'box', kind: 'voicemail', name: 'messages' } as const;
const RECEPTION = { key: 'reception', kind: 'department', name: 'reception', failover: '@box' } as const;
const CLOSED = { key: 'closed', kind: 'announcement', name: 'closed', prompt: 'closed', to: '@box' } as const;

// biome-ignore format: a table is read by its columns
export const TEMPLATES: readonly Template[] = [
  {
    id: 'office', icon: 'hours',
    steps: [
      BOX, RECEPTION, CLOSED,
      { key: 'hours', kind: 'timegroup', name: 'hours', open: '@reception', closed: '@closed' },
    ],
  },
  {
    id: 'sales', icon: 'menu',
    steps: [
      BOX,
      { key: 'sales', kind: 'department', name: 'sales', failover: '@box' },
      { key: 'support', kind: 'department', name: 'support', failover: '@box' },
      { key: 'billing', kind: 'department', name: 'billing', failover: '@box' },
      { key: 'menu', kind: 'ivr', name: 'menu', prompt: 'sales', options: [['1', '@sales'], ['2', '@support'], ['3', '@billing']], otherwise: '@sales' },
    ],
  },
  {
    id: 'languages', icon: 'announcement',
    steps: [
      BOX, RECEPTION,
      { key: 'en', kind: 'ivr', name: 'english', prompt: 'reception', language: 'en', options: [['1', '@reception'], ['2', '@box']], otherwise: '@reception' },
      { key: 'hi', kind: 'ivr', name: 'hindi', prompt: 'reception', language: 'hi', options: [['1', '@reception'], ['2', '@box']], otherwise: '@reception' },
      { key: 'menu', kind: 'ivr', name: 'languages', prompt: 'languages', options: [['1', '@en'], ['2', '@hi']], otherwise: '@en' },
    ],
  },
  {
    id: 'clinic', icon: 'agent',
    steps: [
      BOX, CLOSED,
      { key: 'appointments', kind: 'department', name: 'appointments', failover: '@box' },
      { key: 'onCall', kind: 'department', name: 'onCall', failover: '@box' },
      { key: 'prescriptions', kind: 'voicemail', name: 'prescriptions' },
      { key: 'menu', kind: 'ivr', name: 'menu', prompt: 'clinic', options: [['1', '@appointments'], ['2', '@prescriptions'], ['9', '@onCall']], otherwise: '@appointments' },
      { key: 'hours', kind: 'timegroup', name: 'hours', open: '@menu', closed: '@closed' },
    ],
  },
  {
    id: 'shop', icon: 'number',
    steps: [
      BOX,
      { key: 'orders', kind: 'department', name: 'orders', failover: '@box' },
      { key: 'deliveries', kind: 'department', name: 'deliveries', failover: '@box' },
      { key: 'times', kind: 'announcement', name: 'times', prompt: 'shop-hours', to: 'hangup||hangup' },
      { key: 'menu', kind: 'ivr', name: 'menu', prompt: 'shop', options: [['1', '@orders'], ['2', '@deliveries'], ['3', '@times']], otherwise: '@orders' },
    ],
  },
  {
    id: 'night', icon: 'voicemail',
    steps: [
      BOX, RECEPTION,
      { key: 'onCall', kind: 'department', name: 'onCall', failover: '@box' },
      { key: 'night', kind: 'ivr', name: 'night', prompt: 'after-hours', options: [['1', '@box'], ['2', '@onCall']], otherwise: '@box' },
      { key: 'hours', kind: 'timegroup', name: 'hours', open: '@reception', closed: '@night' },
    ],
  },
];
