// How the map reads, changes, copies and deletes the record of a node.
import type * as Api from '../../../../../client/operations.ts';
import { client } from '../../../data/client.ts';
import { createMenu } from '../../editor/sending.ts';
import { forced } from '../../records/record-form.ts';
import type { Json, MapRecordKind } from './changes.ts';

interface Writes {
  readonly read: (id: string) => Promise<{ readonly version: number }>;
  /** `skipTests`: the tests of a menu may fail. */
  readonly patch: (id: string, body: Json, ifMatch: string, skipTests?: boolean) => Promise<unknown>;
  readonly remove: (id: string, force: boolean) => Promise<unknown>;
  /** Null if its copy would need a number of its own. */
  readonly create: ((body: Json, account: string) => Promise<{ readonly id: string }>) | null;
}

// biome-ignore format: a table is read by its columns
export const WRITES: { readonly [K in MapRecordKind]: Writes } = {
  number: {
    read: (id) => client.getNumber({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchNumber({ params: { id }, body: body as Api.NumberPatch, ifMatch }),
    remove: (id, force) => client.deleteNumber({ params: { id }, query: forced(force) }),
    create: null,
  },
  trunk: {
    read: (id) => client.getTrunk({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchTrunk({ params: { id }, body: body as Api.TrunkPatch, ifMatch }),
    remove: (id, force) => client.deleteTrunk({ params: { id }, query: forced(force) }),
    create: null,
  },
  ivr: {
    read: (id) => client.getIvr({ params: { id } }),
    patch: (id, body, ifMatch, skipTests = false) => client.patchIvr({ params: { id }, query: { skip_tests: skipTests ? 'true' : 'false' }, body: body as Api.IvrPatch, ifMatch }),
    remove: (id, force) => client.deleteIvr({ params: { id }, query: forced(force) }),
    create: (body, account) => createMenu(account, { body: body as Api.NewIvrInput }),
  },
  timegroup: {
    read: (id) => client.getTimeGroup({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchTimeGroup({ params: { id }, body: body as Api.TimeGroupPatch, ifMatch }),
    remove: (id, force) => client.deleteTimeGroup({ params: { id }, query: forced(force) }),
    create: (body) => client.createTimeGroup({ body: body as Api.NewTimeGroupInput }),
  },
  announcement: {
    read: (id) => client.getAnnouncement({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchAnnouncement({ params: { id }, body: body as Api.AnnouncementPatch, ifMatch }),
    remove: (id, force) => client.deleteAnnouncement({ params: { id }, query: forced(force) }),
    create: (body) => client.createAnnouncement({ body: body as Api.NewAnnouncementInput }),
  },
  department: {
    read: (id) => client.getDepartment({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchDepartment({ params: { id }, body: body as Api.DepartmentPatch, ifMatch }),
    remove: (id, force) => client.deleteDepartment({ params: { id }, query: forced(force) }),
    create: (body) => client.createDepartment({ body: body as Api.NewDepartmentInput }),
  },
  agent: {
    read: (eid) => client.getAgent({ params: { eid } }),
    patch: (eid, body, ifMatch) => client.patchAgent({ params: { eid }, body: body as Api.AgentPatch, ifMatch }),
    remove: (eid, force) => client.deleteAgent({ params: { eid }, query: forced(force) }),
    create: null,
  },
  voicemail: {
    read: (id) => client.getVoicemailBox({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchVoicemailBox({ params: { id }, body: body as Api.VoicemailBoxPatch, ifMatch }),
    remove: (id, force) => client.deleteVoicemailBox({ params: { id }, query: forced(force) }),
    create: (body) => client.createVoicemailBox({ body: body as Api.NewVoicemailBoxInput }),
  },
  room: {
    read: (id) => client.getRoom({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchRoom({ params: { id }, body: body as Api.RoomPatch, ifMatch }),
    remove: (id, force) => client.deleteRoom({ params: { id }, query: forced(force) }),
    create: (body) => client.createRoom({ body: body as Api.NewRoomInput }),
  },
  collect: {
    read: (id) => client.getCollect({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchCollect({ params: { id }, body: body as Api.CollectPatch, ifMatch }),
    remove: (id, force) => client.deleteCollect({ params: { id }, query: forced(force) }),
    create: (body) => client.createCollect({ body: body as Api.NewCollectInput }),
  },
  request: {
    read: (id) => client.getRequest({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchRequest({ params: { id }, body: body as Api.RequestPatch, ifMatch }),
    remove: (id, force) => client.deleteRequest({ params: { id }, query: forced(force) }),
    create: (body) => client.createRequest({ body: body as Api.NewRequestInput }),
  },
  stream: {
    read: (id) => client.getStream({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchStream({ params: { id }, body: body as Api.StreamPatch, ifMatch }),
    remove: (id, force) => client.deleteStream({ params: { id }, query: forced(force) }),
    create: (body) => client.createStream({ body: body as Api.NewStreamInput }),
  },
  switch: {
    read: (id) => client.getSwitch({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchSwitch({ params: { id }, body: body as Api.SwitchPatch, ifMatch }),
    remove: (id, force) => client.deleteSwitch({ params: { id }, query: forced(force) }),
    create: (body) => client.createSwitch({ body: body as Api.NewSwitchInput }),
  },
  message: {
    read: (id) => client.getMessage({ params: { id } }),
    patch: (id, body, ifMatch) => client.patchMessage({ params: { id }, body: body as Api.MessagePatch, ifMatch }),
    remove: (id, force) => client.deleteMessage({ params: { id }, query: forced(force) }),
    create: (body) => client.createMessage({ body: body as Api.NewMessageInput }),
  },
  sip_address: {
    read: (id) => client.getSipAddress({ params: { id } }),
    patch: (id, body, ifMatch) =>
      client.patchSipAddress({ params: { id }, body: body as Api.SipAddressPatch, ifMatch }),
    remove: (id, force) => client.deleteSipAddress({ params: { id }, query: forced(force) }),
    create: (body) => client.createSipAddress({ body: body as Api.NewSipAddressInput }),
  },
};
