// The interactive documentation: one page, two scripts, one style sheet of our own, so it works without internet and
// under a policy that allows no inline code. Why not Swagger UI: see docs/decisions/0004-docs-page.md.
import { readFileSync } from 'node:fs';
import { problem } from '../../domain/problem.ts';
import type { ApiResponse, Handler } from '../http/handler.ts';

const TYPES: Record<string, string> = {
  'docs.html': 'text/html; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'schemas.js': 'text/javascript; charset=utf-8',
  'docs.css': 'text/css; charset=utf-8',
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'none'";

const loaded = new Map<string, Buffer>();

/** Beside this file in the sources, and beside the bundle: the build copies the folder. */
function load(file: string): Buffer {
  let text = loaded.get(file);
  if (text === undefined) {
    text = readFileSync(new URL(`./docs-page/${file}`, import.meta.url));
    loaded.set(file, text);
  }
  return text;
}

function answerWith(file: string): ApiResponse {
  const headers = {
    'content-type': TYPES[file] ?? 'text/plain',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  return { status: 200, headers, bytes: load(file) };
}

export const docsPage: Handler = () => answerWith('docs.html');

export const docsAsset: Handler = (request) => {
  const file = request.params['file'] ?? '';
  const known = file !== 'docs.html' && Object.hasOwn(TYPES, file);
  return known ? answerWith(file) : problem('path_unknown', 'There is no such file.');
};
