import { expect, test } from 'vitest';
import { examplePage, newKey, originsIn, scriptTag } from './script-tag.ts';

const RANDOM = new Uint8Array([0, 1, 15, 16, 171, 255]);

test('a key begins with the name and ends by chance', () => {
  expect(newKey('Sales & service!', RANDOM)).toBe('sales-service-00010f10abff');
  expect(newKey('Sales')).not.toBe(newKey('Sales'));
});

test('a key of a name without Latin letters, or of a long one, is what the service takes', () => {
  for (const name of ['', 'बिक्री', '—', 'x'.repeat(80), '-a-'])
    expect(newKey(name)).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
  expect(newKey('बिक्री', RANDOM)).toBe('00010f10abff');
});

test('the tag and the example name the service and the public key', () => {
  const tag = scriptTag('https://pbx.example.com', 'default.sales-1');
  expect(tag).toBe(
    '<script async src="https://pbx.example.com/call-button.js" data-key="default.sales-1"></script>',
  );
  expect(examplePage('https://pbx.example.com', 'default.sales-1')).toContain(
    'src="https://pbx.example.com/call-button.js" data-key="default.sales-1"',
  );
});

test('origins are read one a line', () => {
  expect(originsIn(' https://a.example \n\nhttps://b.example\n')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
});
