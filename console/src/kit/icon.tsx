// Icons, as paths on a 24 × 24 grid. They are decoration: a label always says what they mean.

// biome-ignore format: one drawing a line
const PATHS = {
  add: 'M12 5v14M5 12h14', agent: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6', announcement: 'M4 10v4h3l6 4V6l-6 4H4zM16 9c1.5 2 1.5 4 0 6M18.5 6.5c3 3.5 3 7.500 0 11',
  arrow: 'M5 12h14M13 6l6 6-6 6', bell: 'M6 16V10a6 6 0 0 1 12 0v6l2 2H4l2-2zM10 21h4', back: 'M19 12H5M11 6l-6 6 6 6', bad: 'M12 8v5M12 16.500v.5M12 3l10 18H2L12 3z', calls: 'M4 6h16M4 12h16M4 18h10',
  check: 'M5 13l4 4L19 7', close: 'M6 6l12 12M18 6L6 18', copy: 'M9 9h11v11H9zM5 15H4V4h11v1', department: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM16 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 19c.5-3 3-5 6-5s5 2 6 5M15 14c3 0 6 2 7 5',
  down: 'M6 9l6 6 6-6', download: 'M12 4v11M7 11l5 5 5-5M5 20h14', edit: 'M4 20l1-5L16 4l4 4L9 19l-5 1z', expand: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5', forward: 'M5 5l8 7-8 7V5zM17 5v14',
  guide: 'M6 3h12v18l-6-4-6 4V3z', hangup: 'M3 15c5-5 13-5 18 0l-2 2.500-4-1.500v-2.500c-2-.7-4-.7-6 0V16l-4 1.500L3 15z', history: 'M4 5v5h5M4.500 10A8 8 0 1 1 4 14M12 8v5l3 2', home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4v-9z', hours: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7.500v.5', key: 'M8 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 11h9M18 11v4', listen: 'M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v6H4zM17 14h3v6h-3z', live: 'M3 12h4l3-8 4 16 3-8h4',
  map: 'M5 9a2 2 0 1 0 0 6 2 2 0 0 0 0-6zM19 3a2 2 0 1 0 0 5 2 2 0 0 0 0-5zM19 16a2 2 0 1 0 0 5 2 2 0 0 0 0-5zM7 12c7 0 3-6.500 10-6.500M7 12c7 0 3 6.500 10 6.500', menu: 'M4 5h16v14H4zM8 9h2M14 9h2M8 12h2M14 12h2M8 15h2M14 15h2', more: 'M4 7h16M4 12h16M4 17h16',
  nodes: 'M4 4h16v6H4zM4 14h16v6H4zM7.500 7h.5M7.500 17h.5', micOff: 'M9 5v8a3 3 0 0 0 5 2M15 11V4h-5M5 12a7 7 0 0 0 11 5.500M19 12v1M12 19v3M4 3l16 18', mute: 'M4 10v4h3l6 4V6l-6 4H4zM17 9l5 6M22 9l-5 6', number: 'M9 4L7 20M17 4l-2 16M4 9h17M3 15h17', pause: 'M8 5v14M16 5v14', phone: 'M6 3l4 1 1 5-3 2c1 3 3 5 6 6l2-3 5 1 1 4c-1 2-3 3-5 2C10 20 4 14 3 7c0-2 1-4 3-4z', play: 'M7 4l13 8-13 8V4z',
  record: 'M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z', recording: 'M9 4h6v9a3 3 0 0 1-6 0V4zM5 12a7 7 0 0 0 14 0M12 19v3', redo: 'M20 8H9a5 5 0 0 0 0 10h3M16 4l4 4-4 4', search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5', settings: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l3 3M16 16l3 3M19 5l-3 3M8 16l-3 3',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6l8-3z', sms: 'M4 5h16v11H9l-5 4V5z', statistics: 'M4 20V10M10 20V4M16 20v-8M22 20H2', stop: 'M6 6h12v12H6z', team: 'M12 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM5 14a2.500 2.500 0 1 0 0-5M19 14a2.500 2.500 0 1 1 0-5M6 20c.5-4 3-6 6-6s5.500 2 6 6',
  transfer: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4', trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6', trunk: 'M3 12h5M16 12h5M8 8h8v8H8z', undo: 'M4 8h11a5 5 0 0 1 0 10h-3M8 4L4 8l4 4', up: 'M6 15l6-6 6 6', upload: 'M12 20V9M7 13l5-5 5 5M5 4h14',
  voicemail: 'M7 9a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM17 9a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM7 16h10', warn: 'M12 9v5M12 17v.5M12 3l10 18H2L12 3z', webhook: 'M9 8a3 3 0 1 1 5 2l3 6M12 6l-4 8M7 14a3 3 0 1 0 2 5h7M17 15a3 3 0 1 1-1 5', zoomIn: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5M8 11h6M11 8v6', zoomOut: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5M8 11h6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
