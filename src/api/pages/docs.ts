// The interactive documentation: one page, two scripts, one style sheet of our own, so it works without internet and
// under a policy that allows no inline code. Why not Swagger UI: see docs/decisions/0004-docs-page.md.
import { existsSync, readFileSync } from 'node:fs';
import { problem } from '../../kinds/problem.ts';
import type { ApiResponse, Handler } from '../http/handler.ts';
import { toHtml } from './markdown.ts';

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

function answerWith(file: string, bytes = load(file)): ApiResponse {
  const headers = {
    'content-type': TYPES[file] ?? 'text/plain',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  return { status: 200, headers, bytes };
}

export const docsPage: Handler = () => answerWith('docs.html');

let errors: Buffer | undefined;

/** docs/errors.md, of which the build puts a copy beside the pages. */
function errorPage(): Buffer {
  const beside = new URL('./docs-page/errors.md', import.meta.url);
  const source = existsSync(beside) ? beside : new URL('../../../docs/errors.md', import.meta.url);
  const [before, after] = load('errors.html').toString().split('<!-- errors.md -->');
  return Buffer.from(`${before}${toHtml(readFileSync(source, 'utf8'))}${after}`);
}

/** Every Code of a failure is an anchor of this page: the document and the documentation link to it. */
export const docsErrors: Handler = () => {
  errors ??= errorPage();
  return answerWith('docs.html', errors);
};

export const docsAsset: Handler = (request) => {
  const file = request.params['file'] ?? '';
  const known = file !== 'docs.html' && Object.hasOwn(TYPES, file);
  return known ? answerWith(file) : problem('path_unknown', 'There is no such file.');
};
