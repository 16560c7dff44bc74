import { expect, it } from 'vitest';
import { toHtml } from './markdown.ts';

it('writes headings with anchors, paragraphs, lists and code', () => {
  expect(
    toHtml('# Codes of a field\n\nOne `a<b>`, **two**.\n\n- x\n- y\n  z\n\n```json\n{"a": 1}\n```\n'),
  ).toBe(
    '<h1 id="codes-of-a-field"><a href="#codes-of-a-field">Codes of a field</a></h1>\n' +
      '<p>One <code>a&lt;b&gt;</code>, <b>two</b>.</p>\n' +
      '<ul><li>x</li><li>y\n  z</li></ul>\n' +
      '<pre tabindex="0">{&quot;a&quot;: 1}\n</pre>',
  );
});

it('links within the page, and names other documents', () => {
  expect(toHtml('See [these](#codes) and [limits.md](limits.md).')).toBe(
    '<p>See <a href="#codes">these</a> and limits.md.</p>',
  );
});

it('writes markup as text', () => {
  expect(toHtml('<script>alert(1)</script> `"<b>"`')).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; <code>&quot;&lt;b&gt;&quot;</code></p>',
  );
});
