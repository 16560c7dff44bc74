// Notices inside one process: heard before publish() returns, never missed.
import { type Notices, noticePayload } from '../ports/notices.ts';
import { Topics } from './topics.ts';

export class MemoryNotices implements Notices {
  readonly #topics: Topics;

  constructor(failed: (error: unknown) => void) {
    this.#topics = new Topics(failed);
  }

  publish(topic: string, text: string): void {
    noticePayload(topic, text);
    this.#topics.heard(topic, text);
  }

  subscribe(topic: string, heard: (text: string) => void, missed: () => void): () => void {
    return this.#topics.add(topic, { heard, missed });
  }
}
