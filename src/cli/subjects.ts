// What lint and test work on: files, or without them everything the account has in the database.
import type { Config } from '../config/config.ts';
import { findAccount, withStorage } from './command.ts';
import { remark } from './io.ts';
import { faultLines, readMenuFile } from './menu-file.ts';
import { assumptionLine, type Subject, subjectOf, wholeAccount } from './subject.ts';

export interface Subjects {
  readonly subjects: readonly Subject[];
  /** Whether a file could not be used; its faults have been printed. */
  readonly faulty: boolean;
}

export async function subjectsOf(
  files: readonly string[],
  account: string | undefined,
  config: Config,
): Promise<Subjects> {
  if (files.length === 0) {
    const subject = await withStorage(config, async (storage) =>
      wholeAccount(storage, await findAccount(storage, account)),
    );
    return { subjects: [subject], faulty: false };
  }
  const subjects: Subject[] = [];
  let faulty = false;
  for (const file of files) {
    const read = readMenuFile(file);
    if (read.kind === 'faulty') {
      faulty = true;
      remark(faultLines(read));
    } else {
      const subject = subjectOf(read);
      remark(assumptionLine(subject));
      subjects.push(subject);
    }
  }
  return { subjects, faulty };
}
