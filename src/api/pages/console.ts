// The console's pages: its files as they were built, under a policy that runs no code but theirs.
import { problem } from '../../kinds/problem.ts';
import type { ApiRequest, ApiResponse, Handler } from '../http/handler.ts';
import { matched } from '../http/version.ts';
import { type ConsoleFile, codingsOf } from './console-files.ts';

/** Nothing inline, nothing from other origins, in no frame (threats T19, T20). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const GUARDED = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
};

export const consolePage: Handler = async (request, context) => {
  const page = await context.console.find('index.html');
  return page ? answerWith(request, page) : NOT_BUILT;
};

export const consoleFile: Handler = async (request, context) => {
  const name = request.params['file'] ?? '';
  // The page itself has one address.
  const file = name === 'index.html' || name.includes('/') ? null : await context.console.find(name);
  return file ? answerWith(request, file) : NO_FILE;
};

export const consoleAsset: Handler = async (request, context) => {
  const file = await context.console.find(`assets/${request.params['file'] ?? ''}`);
  return file ? answerWith(request, file) : NO_FILE;
};

/**
 * The script of call buttons, which pages of other origins load. Its address stays: so it is kept for an hour, and asked for again while
 * the former one is in use.
 */
export const callButtonScript: Handler = async (request, context) => {
  const file = await context.console.find('call-button.js');
  if (!file) return NO_FILE;
  return answerWith(request, file, {
    'cross-origin-resource-policy': 'cross-origin',
    // For integrity= and crossorigin: it is the same for all, and public.
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  });
};

const NO_FILE = problem('path_unknown', 'There is no such file.');

async function answerWith(
  request: ApiRequest,
  file: ConsoleFile,
  more: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const { coding, bytes } = await file.coded(codingsOf(request.headers['accept-encoding']));
  return matched(request, `"${file.mark}${coding === 'identity' ? '' : `-${coding}`}"`, bytes, {
    ...GUARDED,
    'content-type': file.type,
    'cache-control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(file.compressible ? { vary: 'accept-encoding' } : {}),
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    ...more,
  });
}

/** Built from a clone, the console needs packages that running the service does not. */
const NOT_BUILT: ApiResponse = {
  status: 200,
  headers: { ...GUARDED, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  bytes: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dialtree</title>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main>
<h1>Dialtree is running</h1>
<p>Its console has not been built here. In the folder of Dialtree, run:</p>
<pre><code>npm ci &amp;&amp; npm run build</code></pre>
<p>Then load this page again.</p>
<p>The API needs no console: <a href="/docs">read it and try it</a>.</p>
</main>
</body>
</html>
`,
};
