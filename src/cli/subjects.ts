// The files that lint and test work on.
import { remark } from './io.ts';
import { faultLines, readMenuFile } from './menu-file.ts';
import { assumptionLine, type Subject, subjectOf } from './subject.ts';

export interface Subjects {
  readonly subjects: readonly Subject[];
  /** Whether a file could not be used; its faults have been printed. */
  readonly faulty: boolean;
}

export function subjectsOf(files: readonly string[]): Subjects {
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
