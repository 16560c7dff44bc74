// RFC 3863 with the activities of RFC 4480: whether an agent can be called.
import type { Availability, WatchedState } from '../../ports/watching.ts';
import { escapeXml } from './xml.ts';

const ACTIVITY: Readonly<Record<Availability, string>> = {
  free: '',
  busy: '<rpid:activities><rpid:on-the-phone/></rpid:activities>',
  away: '<rpid:activities><rpid:away/></rpid:activities>',
};

export function presence(
  { availability, note }: Extract<WatchedState, { event: 'presence' }>,
  entity: string,
): string {
  const name = escapeXml(entity);
  const activity = ACTIVITY[availability];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:dm="urn:ietf:params:xml:ns:pidf:data-model"',
    ` xmlns:rpid="urn:ietf:params:xml:ns:pidf:rpid" entity="${name}">`,
    `<tuple id="phone"><status><basic>${availability === 'away' ? 'closed' : 'open'}</basic></status>`,
    `<contact>${name}</contact>${note === '' ? '' : `<note>${escapeXml(note)}</note>`}</tuple>`,
    ...(activity === '' ? [] : [`<dm:person id="agent">${activity}</dm:person>`]),
    '</presence>',
    '',
  ].join('\r\n');
}
