import { describe, expect, it } from 'vitest';
import type { Installation } from '../ports/installation.ts';
import { watchInstallation } from './watch-installation.ts';

const OURS = { id: 'ours' } as Installation;

function bed() {
  const answers: ((found: Installation | null) => void)[] = [];
  const news: string[] = [];
  const watch = watchInstallation(
    (error) => news.push(error ? error.reason : 'back'),
    () => new Promise((resolve) => answers.push(resolve)),
  );
  return { watch, answers, news };
}

describe('the installation of a PostgreSQL database', () => {
  it('is not lost when it is made while the first look at it is under way', async () => {
    const { watch, answers, news } = bed();
    const look = watch.now();
    watch.known(OURS);
    for (const answer of answers) answer(null);
    await look;
    watch.check();
    expect(news).toEqual([]);
    watch.stop();
  });

  it('is lost when another or none is found, and found again', async () => {
    const { watch, answers, news } = bed();
    watch.known(OURS);
    for (const found of [null, { id: 'another' } as Installation]) {
      const look = watch.now();
      answers.at(-1)?.(found);
      await expect(look).rejects.toThrow('deleted or replaced');
      expect(() => watch.check()).toThrow('deleted or replaced');
    }
    const look = watch.now();
    answers.at(-1)?.(OURS);
    await look;
    expect(news).toEqual(['lost', 'back']);
    watch.stop();
  });
});
