import { expect, it } from 'vitest';
import { pathTo, readRoute } from './router.tsx';

it('reads the place behind the #', () => {
  const { path, parts, query } = readRoute('/menus/a%2Fb?tab=history&x=1');
  expect([path, parts, query.get('tab'), query.get('x')]).toEqual([
    '/menus/a%2Fb',
    ['menus', 'a/b'],
    'history',
    '1',
  ]);
});

it('writes paths that read back as they were, whatever the parts hold', () => {
  for (const part of ['a/b', 'ivr||main', '100 %', '?x=1', '#', 'अ'])
    expect(readRoute(pathTo('map', part)).parts).toEqual(['map', part]);
});

it('takes a malformed escape for what it says', () => {
  expect(readRoute('/menus/%zz').parts).toEqual(['menus', '%zz']);
});
