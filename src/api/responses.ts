// The successful responses of each route, for the OpenAPI document. Failures have the same body everywhere.

import type { JsonSchema } from '../kinds/field.ts';

export interface ResponseDoc {
  readonly status: 200 | 201 | 206 | 304;
  readonly description: string;
  /** The name of a schema in openapi.ts; without one there is no JSON body. */
  readonly schema?: string;
  readonly list?: true;
  /** Members of a list response that are not always there. */
  readonly members?: Readonly<Record<string, JsonSchema>>;
  readonly contentType?: string;
  readonly headers?: readonly string[];
  /** The schema of the record that Prefer: return=representation gets instead. */
  readonly record?: string;
}

export const responses = {
  created: (schema = 'Done', record?: string): ResponseDoc => ({
    status: 201,
    description: 'Created, and safe on disk',
    schema,
    headers: ['Location', 'Idempotency-Replayed'],
    ...(record === undefined ? {} : { record }),
  }),
  signedIn: {
    status: 201,
    description: 'Signed in: the cookie is in Set-Cookie',
    schema: 'SignedIn',
    headers: ['Set-Cookie'],
  } as ResponseDoc,
  written: (schema = 'Done', record?: string): ResponseDoc => ({
    status: 200,
    description: 'Done, and safe on disk',
    schema,
    headers: ['ETag'],
    ...(record === undefined ? {} : { record }),
  }),
  record: (schema: string): ResponseDoc => ({
    status: 200,
    description: 'The record',
    schema,
    headers: ['ETag'],
  }),
  list: (schema: string, members?: ResponseDoc['members']): ResponseDoc => ({
    status: 200,
    description: 'A page',
    schema,
    list: true,
    headers: ['Link'],
    ...(members === undefined ? {} : { members }),
  }),
  text: (contentType: string, description: string): ResponseDoc => ({
    status: 200,
    description,
    contentType,
  }),
  file: (contentType: string): ResponseDoc => ({
    status: 200,
    description: 'The file',
    contentType,
    headers: ['ETag', 'Accept-Ranges'],
  }),
  part: (contentType: string): ResponseDoc => ({
    status: 206,
    description: 'The part of the file that Range asks for',
    contentType,
    headers: ['ETag', 'Content-Range'],
  }),
  agents: {
    status: 200,
    description: 'All agents, sorted by id',
    schema: 'Agents',
    headers: ['ETag', 'Deprecation', 'Link'],
  } as ResponseDoc,
  unchanged: {
    status: 304,
    description: 'Not changed since the ETag that was sent',
    headers: ['ETag'],
  } as ResponseDoc,
} as const;
