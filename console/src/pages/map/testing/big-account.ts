// A large account, deterministic: numbers, trees of menus, hours, departments with members.
import type { MapRecords } from '../map-records.ts';

export interface Sizes {
  readonly numbers: number;
  readonly menus: number;
  readonly hours: number;
  readonly announcements: number;
  readonly departments: number;
  readonly agents: number;
  readonly boxes: number;
}

/** 2,000 in all. */
export const TWO_THOUSAND: Sizes = {
  numbers: 100,
  menus: 900,
  hours: 60,
  announcements: 40,
  departments: 200,
  agents: 650,
  boxes: 50,
};

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const eidOf = (index: number): string => String(200_000 + index);

export function bigAccount(sizes: Sizes): MapRecords {
  const { numbers, menus, hours, announcements, departments, agents, boxes } = sizes;
  const perDepartment = Math.max(1, Math.floor(agents / departments));
  const menu = (index: number): string => `ivr||menu-${index % menus}`;
  const department = (index: number): string => `department||dept-${index % departments}`;
  const agent = (index: number): string => `extension||${eidOf(index % agents)}`;
  return {
    number: range(numbers).map((index) => ({
      id: String(7_000 + index),
      number: String(7_000 + index),
      destination: index < hours ? `timegroup||hours-${index}` : menu(index),
      description: '',
    })),
    ivr: range(menus).map((index) => {
      // Each of the first menus is the root of a tree; two of its keys lead to menus further down.
      const below = [numbers + index * 2, numbers + index * 2 + 1].filter((child) => child < menus);
      const elsewhere = [department(index), agent(index * 7), `voicemail||box-${index % boxes}`];
      const destination = [...below.map(menu), ...elsewhere];
      return {
        id: `menu-${index}`,
        name: `Menu ${index}`,
        description: 'One of many',
        option: destination.map((_, at) => String(at + 1)),
        destination,
        invalid_destination: department(index),
        timeout_destination: 'hangup||hangup',
      };
    }),
    timegroup: range(hours).map((index) => ({
      id: `hours-${index}`,
      name: `Hours ${index}`,
      timezone: 'Asia/Kolkata',
      open_destination: menu(index),
      closed_destination: `announcement||closed-${index % announcements}`,
    })),
    announcement: range(announcements).map((index) => ({
      id: `closed-${index}`,
      name: `We are closed ${index}`,
      destination: `voicemail||box-${index % boxes}`,
    })),
    department: range(departments).map((index) => ({
      id: `dept-${index}`,
      name: `Department ${index}`,
      description: '',
      agents: range(perDepartment).map((at) => eidOf((index * perDepartment + at) % agents)),
      full_destination: null,
      timeout_destination: null,
      failover_destination: `voicemail||box-${index % boxes}`,
    })),
    agent: range(agents).map((index) => ({
      eid: eidOf(index),
      name: `Agent ${index}`,
      intercom: String(20_000 + index),
      custom_status: index % 50 === 0 ? 1 : 0,
      failover_destination: null,
    })),
    room: [],
    trunk: [],
    collect: [],
    request: [],
    stream: [],
    switch: [],
    message: [],
    sip_address: [],
    voicemail: range(boxes).map((index) => ({ id: `box-${index}`, name: `Box ${index}`, email: null })),
  };
}
