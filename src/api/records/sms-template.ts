// SMS templates: what callers are sent who choose an option.
import { newId } from '../../domain/id.ts';
import { readSmsTemplate } from '../schemas/sms.ts';
import { type Collection, creating, deleting, listing, reading, replacing } from './collection.ts';

const templates: Collection<'sms_template'> = {
  kind: 'sms_template',
  path: '/v1/sms_template',
  listPath: '/v1/sms_templates',
  read: readSmsTemplate,
  makeId: (request) => newId(request.nowMs),
  warnings: async () => [],
  answersId: true,
  plainIdIn: 'sms_template',
  matches: ({ name, text }, needle) =>
    name.toLowerCase().includes(needle) || text.toLowerCase().includes(needle),
};

export const createSmsTemplate = creating(templates);
export const getSmsTemplate = reading(templates);
export const listSmsTemplates = listing(templates);
export const putSmsTemplate = replacing(templates);
export const deleteSmsTemplate = deleting(templates);
