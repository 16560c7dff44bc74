// Sentences that the service writes, in English and Hindi: steps of a call, reasons of its end, findings, faults of fields.
import { FINDINGS } from './findings.ts';
import { FORMS } from './forms.ts';
import type { Pair } from './pair.ts';
import { STEPS } from './steps.ts';

export const TEXTS: readonly Pair[] = [...STEPS, ...FINDINGS, ...FORMS];
