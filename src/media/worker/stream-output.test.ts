import { describe, expect, it } from 'vitest';
import { agreedOf } from '../commands/agreed.ts';
import { readEvent, writeEvent } from '../dtmf/telephone-event.ts';
import { AUDIO, SETTINGS, SOUND, VirtualStreams } from '../testing/virtual-streams.ts';

describe('the output of a live stream', () => {
  it('sends nothing on hold, but the playback goes on and its end is reported', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), virtual.nowMs);
    stream.play(1, SOUND, false);
    virtual.run(2_000);
    expect(virtual.sent).toEqual([]);
    expect(virtual.events).toContainEqual(['played', 1, 1]);
  });

  it('sends nothing to 0.0.0.0, the hold of RFC 2543', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, remoteAddress: '0.0.0.0' }), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(2_000);
    expect(virtual.sent).toEqual([]);
  });

  const isSilence = ({ payload }: { readonly payload: Buffer }): boolean =>
    payload.length === 160 && payload.every((byte) => byte === 0xff);

  it('sends silence after 200 ms without sound, as one source: networks end calls without packets', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(180);
    expect(virtual.sent).toEqual([]);
    virtual.run(1_000);
    const before = virtual.sent.length;
    expect(before).toBeGreaterThan(45);
    expect(virtual.sent.every(isSilence)).toBe(true);
    stream.play(1, SOUND, false);
    virtual.run(1_180);
    expect(virtual.sent).toHaveLength(before + 50);
    expect(virtual.sent.slice(before).some(isSilence)).toBe(false);
    virtual.run(1_000);
    expect(virtual.sent).toHaveLength(before + 100);
    expect(virtual.sent.slice(before + 50).every(isSilence)).toBe(true);
    const [first] = virtual.sent;
    for (const [index, { header, atMs }] of virtual.sent.entries()) {
      expect(header.sequence).toBe(((first?.header.sequence ?? 0) + index) & 0xffff);
      const samples = (atMs - (first?.atMs ?? 0)) * 8;
      expect(header.timestamp).toBe(((first?.header.timestamp ?? 0) + samples) >>> 0);
    }
  });

  it('begins its silence anew with the answer: a prompt is on its way', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, early: 'verified' }), virtual.nowMs);
    virtual.run(1_000);
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(180);
    expect(virtual.sent).toEqual([]);
  });

  it('sends silence to the other side of a bridge that is quiet for a second, until it is heard again', () => {
    const virtual = new VirtualStreams();
    const [caller, agent] = [virtual.open(), virtual.open()];
    caller.configure(agreedOf(SETTINGS), virtual.nowMs);
    agent.configure(agreedOf({ ...SETTINGS, remotePort: 5_000 }), virtual.nowMs);
    caller.bridge(agent);
    const toAgent = () => virtual.sent.filter(({ to }) => to.port === 5_000);
    virtual.run(1_000, () => virtual.arrive(caller, AUDIO));
    virtual.run(900);
    expect(toAgent()).toHaveLength(50);
    virtual.run(600);
    const silent = toAgent().slice(50);
    expect(silent.length).toBeGreaterThan(20);
    expect(silent.every(isSilence)).toBe(true);
    const before = toAgent().length;
    virtual.run(1_000, () => virtual.arrive(caller, AUDIO));
    expect(toAgent().slice(before)).toHaveLength(50);
    expect(toAgent().slice(before).some(isSilence)).toBe(false);
    const sequences = toAgent().map(({ header }) => header.sequence);
    expect(sequences).toEqual(sequences.map((_, index) => ((sequences[0] ?? 0) + index) & 0xffff));
  });

  it.each([
    ['before the answer', { early: 'verified' as const }],
    ['to a peer that holds us', { direction: 'recvonly' as const }],
    [
      'where nothing is proved: a third host has 250 packets of sound (T45)',
      { signallingAddress: '198.51.100.1' },
    ],
  ])('sends no silence %s', (_when, settings) => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, ...settings }), virtual.nowMs);
    virtual.run(2_000);
    expect(virtual.sent).toEqual([]);
  });

  it('does not report one-way audio for silence of its own', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    virtual.run(20_000);
    expect(virtual.sent.length).toBeGreaterThan(900);
    expect(virtual.events).toEqual([]);
  });

  it('sends 250 packets to a third host, and goes on when a packet comes from there (T45)', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    const third = { ...SETTINGS, signallingAddress: '198.51.100.1' };
    stream.configure(agreedOf(third), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(8_000);
    expect(virtual.sent).toHaveLength(250);
    // The same target again earns nothing.
    stream.configure(agreedOf(third), virtual.nowMs);
    virtual.run(1_000);
    expect(virtual.sent).toHaveLength(250);
    virtual.arrive(stream, AUDIO);
    virtual.run(10_000);
    expect(virtual.sent).toHaveLength(750);
    const [paused, resumed] = virtual.sent.slice(249, 251).map(({ header }) => header);
    expect(resumed?.marker).toBe(true);
    expect(((resumed?.timestamp ?? 0) - (paused?.timestamp ?? 0)) >>> 0).toBeGreaterThan(3_900 * 8);
    stream.configure(agreedOf({ ...third, remotePort: 5_000 }), virtual.nowMs);
    virtual.run(8_000);
    expect(virtual.sent).toHaveLength(1_000);
  });

  it('sends no more to one third host after another, named by re-INVITEs (T45)', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.play(1, SOUND, true);
    for (let remotePort = 5_000; remotePort < 5_040; remotePort += 2) {
      const settings = { ...SETTINGS, signallingAddress: '198.51.100.1', remotePort };
      stream.configure(agreedOf(settings), virtual.nowMs);
      virtual.run(1_000);
    }
    expect(virtual.sent).toHaveLength(250);
  });

  it('sends without limit to the host of the signalling, and to a listener that reports (T45)', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    const { remoteAddress } = SETTINGS;
    stream.configure(agreedOf({ ...SETTINGS, signallingAddress: remoteAddress }), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(10_000);
    expect(virtual.sent).toHaveLength(500);
    const listener = virtual.open();
    const third = { ...SETTINGS, signallingAddress: '198.51.100.1', direction: 'sendonly' } as const;
    listener.configure(agreedOf(third), virtual.nowMs);
    listener.play(2, SOUND, true);
    stream.stop();
    virtual.run(4_000);
    virtual.arriveRaw(listener, virtual.reports[0] ?? Buffer.alloc(0));
    virtual.run(6_000);
    expect(virtual.sent.length).toBeGreaterThan(990);
  });

  it('sends packets of 40 ms where the peer asks for them', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf({ ...SETTINGS, ptimeMs: 40 }), virtual.nowMs);
    stream.play(1, SOUND, false);
    virtual.run(1_000);
    expect(virtual.sent).toHaveLength(25);
    expect(new Set(virtual.sent.map(({ payload }) => payload.length))).toEqual(new Set([320]));
  });

  it('sends keys as events while the audio pauses, RFC 4733 §2.5.1', () => {
    const virtual = new VirtualStreams();
    const stream = virtual.open();
    stream.configure(agreedOf(SETTINGS), virtual.nowMs);
    stream.play(1, SOUND, true);
    virtual.run(200);
    stream.sendKeys('7');
    virtual.run(400);
    const events = virtual.sent.filter(({ header }) => header.payloadType === 101);
    expect(events.map(({ payload }) => readEvent(payload, 0, 4)?.event)).toEqual(new Array(8).fill(7));
    expect(events.map(({ header }) => header.marker)).toEqual([true, ...new Array(7).fill(false)]);
    expect(new Set(events.map(({ header }) => header.timestamp)).size).toBe(1);
    const sequences = virtual.sent.map(({ header }) => header.sequence);
    for (const [index, sequence] of sequences.entries())
      expect(sequence).toBe(((sequences[0] ?? 0) + index) & 0xffff);
    const after = virtual.sent[10 + 8];
    expect(after?.header).toMatchObject({ payloadType: 0, marker: true });
    expect(((after?.header.timestamp ?? 0) - (events[0]?.header.timestamp ?? 0)) >>> 0).toBe(11 * 160);
  });

  it('sends keys as tones where the peer supports no events, and detects such keys', () => {
    const virtual = new VirtualStreams();
    const [caller, listener] = [virtual.open(), virtual.open()];
    const settings = { ...SETTINGS, eventPayloadType: null };
    caller.configure(agreedOf(settings), virtual.nowMs);
    listener.configure(agreedOf({ ...settings, codec: 'pcma', payloadType: 8 }), virtual.nowMs);
    caller.sendKeys('4#');
    virtual.run(600);
    // Without the silence that the listener gets meanwhile.
    for (const { payload, header } of [...virtual.sent])
      if (header.payloadType === 0) virtual.arrive(caller, payload);
    expect(virtual.events).toEqual([
      ['key', 1, '4', 'in-band'],
      ['key', 1, '#', 'in-band'],
    ]);
  });

  it('turns events into tones for the other side of a bridge that supports none', () => {
    const virtual = new VirtualStreams();
    const [caller, agent] = [virtual.open(), virtual.open()];
    caller.configure(agreedOf(SETTINGS), virtual.nowMs);
    agent.configure(agreedOf({ ...SETTINGS, eventPayloadType: null }), virtual.nowMs);
    caller.bridge(agent);
    const event = new Uint8Array(4);
    writeEvent(event, 0, 3, false, 160);
    virtual.arrive(caller, event, { payloadType: 101 });
    virtual.run(300);
    expect(virtual.sent).toHaveLength(10);
    expect(new Set(virtual.sent.map(({ header }) => header.payloadType))).toEqual(new Set([0]));
    const count = virtual.sent.length;
    virtual.arrive(caller, AUDIO);
    expect(virtual.sent).toHaveLength(count + 1);
    expect(virtual.sent.at(-1)?.header.marker).toBe(true);
    expect(virtual.events).toEqual([['key', 1, '3', 'rfc4733']]);
  });

  it('relays A-law as it is while it is tapped or listened to', () => {
    const virtual = new VirtualStreams();
    const [caller, agent, boss] = [virtual.open(), virtual.open(), virtual.open()];
    const alaw = { ...SETTINGS, codec: 'pcma', payloadType: 8 } as const;
    for (const stream of [caller, agent, boss]) stream.configure(agreedOf(alaw), virtual.nowMs);
    caller.bridge(agent);
    for (const isTapped of [true, false]) {
      caller.tap(isTapped);
      if (!isTapped) boss.listenIn(caller, 'monitor');
      virtual.arrive(caller, AUDIO, { payloadType: 8 });
      expect(virtual.sent.pop()?.payload).toEqual(Buffer.from(AUDIO));
    }
  });

  it('plays a background in place of the bridge: playbacks and keys interrupt it, and it goes on', () => {
    const virtual = new VirtualStreams();
    const [held, holder] = [virtual.open(), virtual.open()];
    held.configure(agreedOf(SETTINGS), virtual.nowMs);
    holder.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), virtual.nowMs);
    held.bridge(holder);
    let sequence = 0;
    const arrive = (): void => virtual.arrive(holder, AUDIO, { ssrc: 77, sequence: sequence++ });
    virtual.run(100, arrive);
    held.playBackground(SOUND);
    virtual.run(100, arrive);
    held.play(1, SOUND, false);
    virtual.run(1_100, arrive);
    expect(virtual.events).toEqual([['played', 1, 1]]);
    const event = new Uint8Array(4);
    writeEvent(event, 0, 3, false, 160);
    virtual.arrive(holder, event, { payloadType: 101, ssrc: 77, sequence: sequence++ });
    virtual.run(300, arrive);
    expect(virtual.sent.filter(({ header }) => header.payloadType === 101)).toHaveLength(8);
    const playedFor = virtual.sent.length;
    virtual.run(200);
    expect(virtual.sent).toHaveLength(playedFor + 10);
    held.playBackground(null);
    virtual.run(100);
    expect(virtual.sent).toHaveLength(playedFor + 10);
    virtual.run(100, arrive);
    expect(virtual.sent.at(-5)?.header.marker).toBe(true);
    const first = virtual.sent[0]?.header.sequence ?? 0;
    for (const [index, { header }] of virtual.sent.entries())
      expect(header.sequence).toBe((first + index) & 0xffff);
  });

  it('mixes the background with who listens in and is heard, not with the other side of the bridge', () => {
    const heardWith = (...senders: readonly ('holder' | 'boss')[]): readonly Buffer[] => {
      const virtual = new VirtualStreams();
      const [held, holder, boss] = [virtual.open(), virtual.open(), virtual.open()];
      const remotePort = 5_000;
      held.configure(agreedOf({ ...SETTINGS, remotePort }), virtual.nowMs);
      for (const stream of [holder, boss]) stream.configure(agreedOf(SETTINGS), virtual.nowMs);
      held.bridge(holder);
      boss.listenIn(held, 'barge');
      held.playBackground(SOUND);
      const sequence = (): number => virtual.nowMs / 20;
      virtual.run(1_000, () => {
        if (senders.includes('holder')) virtual.arrive(holder, AUDIO, { ssrc: 4, sequence: sequence() });
        if (senders.includes('boss')) virtual.arrive(boss, AUDIO, { ssrc: 5, sequence: sequence() });
      });
      return virtual.sent.filter(({ to }) => to.port === remotePort).map(({ payload }) => payload);
    };
    const alone = heardWith();
    expect(alone[0]).toEqual(Buffer.from(SOUND[0]?.subarray(0, 160) ?? []));
    expect(heardWith('holder')).toEqual(alone);
    expect(heardWith('boss')).not.toEqual(alone);
    expect(heardWith('holder', 'boss')).toEqual(heardWith('boss'));
  });

  it('keeps one source from prompt to bridge to prompt', () => {
    const virtual = new VirtualStreams();
    const [caller, agent] = [virtual.open(), virtual.open()];
    caller.configure(agreedOf(SETTINGS), virtual.nowMs);
    agent.configure(agreedOf({ ...SETTINGS, direction: 'recvonly' }), virtual.nowMs);
    caller.play(1, SOUND, true);
    virtual.run(100);
    caller.bridge(agent);
    virtual.run(100, () => virtual.arrive(agent, AUDIO, { ssrc: 77, sequence: virtual.nowMs / 20 }));
    caller.unbridge();
    caller.play(2, SOUND, true);
    virtual.run(100);
    expect(virtual.sent).toHaveLength(15);
    const [first] = virtual.sent;
    for (const [index, { header }] of virtual.sent.entries()) {
      expect(header.ssrc).toBe(first?.header.ssrc);
      expect(header.sequence).toBe(((first?.header.sequence ?? 0) + index) & 0xffff);
      expect((header.timestamp - (first?.header.timestamp ?? 0)) >>> 0).toBe(index * 160);
    }
    expect(virtual.sent.flatMap(({ header }, index) => (header.marker ? [index] : []))).toEqual([0, 5, 10]);
  });
});
