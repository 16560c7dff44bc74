// Rows of the route table: the console and its files. The desk of agents has an address of its own, for installing it and for bookmarks.
// Also what pages of other origins load.
import { responses } from '../responses.ts';
import type { Route } from '../route.ts';
import { callButtonScript, consoleAsset, consoleFile, consolePage } from './console.ts';

const { text } = responses;

export const CONSOLE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/',
    id: 'console',
    summary: 'The console',
    handler: consolePage,
    open: true,
    unlisted: true,
    responses: [text('text/html', 'A page')],
  },
  {
    method: 'GET',
    path: '/desk',
    id: 'desk',
    summary: 'The console at the desk of an agent',
    handler: consolePage,
    open: true,
    unlisted: true,
    responses: [text('text/html', 'A page')],
  },
  {
    method: 'GET',
    path: '/console/{file}',
    id: 'consoleFile',
    summary: 'A file of it',
    handler: consoleFile,
    open: true,
    unlisted: true,
    responses: [text('text/javascript', 'A file')],
  },
  {
    method: 'GET',
    path: '/console/assets/{file}',
    id: 'consoleAsset',
    summary: 'A file that never changes',
    handler: consoleAsset,
    open: true,
    unlisted: true,
    responses: [text('text/javascript', 'A file')],
  },
  {
    method: 'GET',
    path: '/call-button.js',
    id: 'callButtonScript',
    summary: 'The script of call buttons, for pages of other origins',
    handler: callButtonScript,
    open: true,
    unlisted: true,
    responses: [text('text/javascript', 'A script')],
  },
];
