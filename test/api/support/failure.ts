// The failure body, as contract.md has it for every path.
import { expect } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../../src/kinds/problem.ts';

export interface Failed {
  readonly status: number;
  readonly text: string;
  readonly headers: { get(name: string): string | null };
}

const MORE = ['Errors', 'ReferencedBy', 'Scope', 'Tests'];

/** The answer has this code, its status, and exactly the members of a failure. */
export function expectFailure(reply: Failed, code: ProblemCode, what = ''): void {
  expect(reply.text, `${what} has a body`).not.toBe('');
  const body = JSON.parse(reply.text) as Record<string, unknown>;
  expect(
    { status: reply.status, Success: body['Success'], Code: body['Code'] },
    `${what}: ${reply.text.slice(0, 300)}`,
  ).toEqual({ status: PROBLEMS[code], Success: false, Code: code });
  expect(String(body['Message']), what).toMatch(/^[\w/][^\n]+[.?]$/u);
  expect(body['RequestId'], what).toBe(reply.headers.get('x-request-id'));
  expect(String(body['RequestId'])).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(reply.headers.get('content-type'), what).toBe('application/json; charset=utf-8');
  const members = Object.keys(body).filter((name) => !MORE.includes(name));
  expect(members, what).toEqual(['Success', 'Message', 'Code', 'RequestId']);
}
