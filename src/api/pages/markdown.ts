// Markdown as docs/errors.md uses it → HTML: headings, paragraphs, lists, fenced code, `code`, **bold** and links within the page.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part.slice(1, -1))}</code>` : prose(part)))
    .join('');
}

/** A link to another document is its text: only this one is served. */
function prose(text: string): string {
  return escaped(text)
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\[([^[\]]{1,200})\]\(([^()]{1,200})\)/g, (_, label: string, to: string) =>
      to.startsWith('#') ? `<a href="${to}">${label}</a>` : label,
    );
}

const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(' ', '-')
    .replace(/[^\w-]/g, '');

function heading(level: number, text: string): string {
  const id = anchor(text);
  return `<h${level} id="${id}"><a href="#${id}">${inline(text)}</a></h${level}>`;
}

function block(text: string): string {
  const [, marks, title] = /^(#{1,6}) (.*)$/.exec(text) ?? [];
  if (marks !== undefined) return heading(marks.length, title ?? '');
  if (!text.startsWith('- ')) return `<p>${inline(text)}</p>`;
  const items = text.split(/^- /m).slice(1);
  return `<ul>${items.map((item) => `<li>${inline(item.trim())}</li>`).join('')}</ul>`;
}

export function toHtml(markdown: string): string {
  return markdown
    .split(/^```.*$/m)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [`<pre tabindex="0">${escaped(part.trimStart())}</pre>`]
        : part.split(/\n{2,}/).flatMap((each) => (each.trim() === '' ? [] : [block(each.trim())])),
    )
    .join('\n');
}
