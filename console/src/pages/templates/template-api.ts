import type { Client } from '../../../../client/client.ts';
import type { Operations } from '../../../../client/operations.ts';
import { client } from '../../data/client.ts';
import { createMenu } from '../editor/sending.ts';
import { type StoredName, storePrompt } from '../prompts/built-in.ts';
import type { TemplateApi, TemplateKind } from './run-template.ts';

type Body<Name extends 'createDepartment' | 'createAnnouncement' | 'createTimeGroup'> =
  Operations[Name]['body'];

const force = { force: 'true' } as const;

export function templateApi(accountId: string, recordings: readonly StoredName[]): TemplateApi {
  const create: {
    readonly [K in TemplateKind]: (body: Readonly<Record<string, unknown>>) => Promise<{ id: string }>;
  } = {
    voicemail: ({ name }) => client.createVoicemailBox({ body: { name: String(name) } }),
    department: (body) => client.createDepartment({ body: body as Body<'createDepartment'> }),
    announcement: (body) => client.createAnnouncement({ body: body as Body<'createAnnouncement'> }),
    timegroup: (body) => client.createTimeGroup({ body: body as Body<'createTimeGroup'> }),
    ivr: (body) => createMenu(accountId, { body: body as Parameters<Client['createIvr']>[0]['body'] }),
  };
  return {
    create: async (kind, body) => (await create[kind](body)).id,
    async remove(kind, id) {
      const params = { id };
      if (kind === 'ivr') await client.deleteIvr({ params, query: force });
      else if (kind === 'department') await client.deleteDepartment({ params, query: force });
      else if (kind === 'timegroup') await client.deleteTimeGroup({ params, query: force });
      else if (kind === 'announcement') await client.deleteAnnouncement({ params, query: force });
      else if (kind === 'voicemail') await client.deleteVoicemailBox({ params, query: force });
      else await client.deleteRecording({ params, query: force });
    },
    prompt: (which, language) => storePrompt(which, language, recordings),
  };
}

/** The number leads to the new flow; the failure, if it does not. */
export async function leadNumber(id: string, destination: string): Promise<unknown> {
  try {
    await client.patchNumber({ params: { id }, body: { destination } });
    return null;
  } catch (error) {
    return error;
  }
}
