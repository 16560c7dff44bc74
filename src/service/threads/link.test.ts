import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { TelephonesUnavailable } from '../../calls/control/call-control.ts';
import { StorageError } from '../../storage/storage.ts';
import { StartError } from '../start-error.ts';
import { Link } from './link.ts';

interface Peer {
  double(value: number): Promise<number>;
  throws(kind: string): Promise<void>;
  never(): Promise<void>;
  note(text: string): void;
}

const links: { close(): void }[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

function open(): { link: Link<Peer>; noted: string[]; failures: unknown[]; other: { close(): void } } {
  const { port1, port2 } = new MessageChannel();
  const noted: string[] = [];
  const failures: unknown[] = [];
  const options = {
    failed: (error: unknown) => void failures.push(error),
    unanswered: (name: string) => new TelephonesUnavailable(name),
  };
  const own: Peer = {
    double: async (value) => value * 2,
    throws: async (kind) => {
      if (kind === 'storage') throw new StorageError('full', 'no space', { shown: 'shown' });
      throw kind === 'start' ? new StartError('in use') : new RangeError('too far');
    },
    never: () => new Promise(() => undefined),
    note: (text) => {
      if (text === 'bad') throw new Error('bad note');
      noted.push(text);
    },
  };
  const other = new Link<object>(port2, own, options);
  const link = new Link<Peer>(port1, {}, options);
  links.push(link, other);
  return { link, noted, failures, other };
}

describe('calls between threads', () => {
  it('are answered each for itself, and what is told comes in order with them', async () => {
    const { link, noted } = open();
    link.tell('note', 'one');
    const answers = await Promise.all([1, 2, 3].map((value) => link.call('double', 1000, value)));
    link.tell('note', 'two');
    await link.call('double', 1000, 0);
    expect([answers, noted]).toEqual([
      [2, 4, 6],
      ['one', 'two'],
    ]);
  });

  it('errors keep their class and what is in it', async () => {
    const { link } = open();
    const error = await link.call('throws', 1000, 'storage').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ reason: 'full', shown: 'shown', message: 'no space' });
    await expect(link.call('throws', 1000, 'start')).rejects.toBeInstanceOf(StartError);
    await expect(link.call('throws', 1000, 'other')).rejects.toMatchObject({
      name: 'RangeError',
      message: 'too far',
      stack: expect.stringContaining('link.test.ts'),
    });
  });

  it('without an answer in time, or after the end of the other side, they fail', async () => {
    const { link, other } = open();
    await expect(link.call('never', 10)).rejects.toBeInstanceOf(TelephonesUnavailable);
    const waiting = link.call('never', 10_000);
    other.close();
    await expect(waiting).rejects.toBeInstanceOf(TelephonesUnavailable);
    await expect(link.call('double', 10_000, 1)).rejects.toBeInstanceOf(TelephonesUnavailable);
  });

  it('an error of a method that is told is not lost', async () => {
    const { link, failures } = open();
    link.tell('note', 'bad');
    await link.call('double', 1000, 0);
    expect(failures).toEqual([expect.objectContaining({ message: 'bad note' })]);
  });
});
