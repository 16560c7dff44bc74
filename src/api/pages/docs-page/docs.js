// The documentation page: reads openapi.json, shows it, and lets one try it. Text from the description or from an answer
// goes into the page as text alone, never as markup, and the token stays in memory unless one asks otherwise.
import {
  alternatives,
  answerItem,
  api,
  at,
  breakable,
  el,
  fieldsOf,
  fieldTable,
  inline,
  unique,
} from './schemas.js';

// Beside this page rather than at "/", so that a reverse proxy may serve everything under a prefix.
const BASE = new URL('.', location.href);
const KEPT = 'dialtree-token';
const PLAIN_HEADERS =
  /^(date|connection|keep-alive|content-length|content-security-.*|referrer-.*|x-content-.*)$/;
const SHOWN_CHARACTERS = 200_000;
const COLOURED_CHARACTERS = 50_000;

const operations = new Map();

const hint = (id) => at(id).content.cloneNode(true);

// ---- The token ----

function token() {
  const text = at('token-field').value.trim();
  return text.replace(/^bearer\s+/i, '');
}

function refreshToken() {
  // A browser may forbid storage; the token then lives as long as the page.
  try {
    if (at('token-keep').checked && token()) sessionStorage.setItem(KEPT, token());
    else sessionStorage.removeItem(KEPT);
  } catch {}
  at('token-field').type = at('token-show').checked ? 'text' : 'password';
  for (const operation of operations.values()) operation.refresh?.();
}

function startToken() {
  try {
    const kept = sessionStorage.getItem(KEPT);
    at('token-field').value = kept ?? '';
    at('token-keep').checked = kept !== null;
  } catch {}
  at('token-form').addEventListener('input', refreshToken);
  at('token-form').addEventListener('submit', (event) => event.preventDefault());
}

// ---- Try it ----

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curlLine({ method, url, headers, body }) {
  const parts = [method === 'GET' ? 'curl -sS -i' : `curl -sS -i -X ${method}`, quoted(url)];
  const open = at('token-show').checked && token();
  for (const [name, value] of Object.entries(headers)) {
    const secret = name === 'Authorization' && !open;
    parts.push('\\\n  -H', secret ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`));
  }
  if (body !== undefined) parts.push('\\\n  --data-raw', quoted(body));
  return parts.join(' ');
}

/** What to send; `wrong` is an input that cannot be sent as it is. */
function requestOf({ method, path, security }, inputs, textarea) {
  const headers = security?.length === 0 ? {} : { Authorization: `Bearer ${token()}` };
  const query = new URLSearchParams();
  let [address, wrong] = [path];
  for (const { parameter, input } of inputs) {
    const { value } = input;
    if (parameter.in === 'path') {
      // A browser takes "." and ".." out of an address, and would ask for something else.
      if (/^\.{0,2}$/.test(value)) wrong ??= input;
      address = address.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
    } else if (value && parameter.in === 'query') query.append(parameter.name, value);
    else if (value) headers[parameter.name] = value;
  }
  if (textarea) headers['Content-Type'] = 'application/json';
  const search = query.size > 0 ? `?${query}` : '';
  return { method, url: new URL(`.${address}${search}`, BASE).href, headers, body: textarea?.value, wrong };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** JSON with its keys, texts and literals marked, so that the eye finds its way. */
function coloured(text) {
  if (text.length > COLOURED_CHARACTERS || !/^[[{]/.test(text)) return text;
  const parts = text.split(/("(?:[^"\\]|\\.)*":?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/);
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const kind = part.endsWith(':') ? 'key' : part.startsWith('"') ? 'text' : 'literal';
    return el(`span.json-${kind}`, part);
  });
}

function block(label, ...content) {
  return el('pre', { tabindex: 0, role: 'group', 'aria-label': label }, content);
}

async function showAnswer(answer, started, out) {
  const text = await answer.text();
  const took = Math.round(performance.now() - started);
  const shown = pretty(text);
  const good = answer.ok || answer.status === 304 ? 'good' : 'bad';
  const headers = [...answer.headers].filter(([name]) => !PLAIN_HEADERS.test(name));
  const terms = headers.map(([name, value]) => el('div', el('dt', name), el('dd', value)));
  const body = block('Body of the answer', coloured(shown.slice(0, SHOWN_CHARACTERS)));
  const more = `These are the first ${SHOWN_CHARACTERS} characters; curl shows all.`;
  out.summary.replaceChildren(
    el(`b.status.${good}`, `${answer.status} ${answer.statusText}`),
    ` in ${took} ms`,
  );
  out.detail.replaceChildren(
    answer.status === 401 ? hint('hint-401') : '',
    el('dl', terms),
    text ? body : el('p.soft', 'No body.'),
    shown.length > SHOWN_CHARACTERS ? el('p.soft', more) : '',
  );
}

async function send({ url, wrong, ...options }, out) {
  out.detail.replaceChildren();
  if (wrong) {
    out.summary.textContent = 'This part of the path needs a value other than "." and "..".';
    wrong.setAttribute('aria-invalid', 'true');
    wrong.focus();
    return;
  }
  out.summary.textContent = 'Sending…';
  const started = performance.now();
  try {
    // Past the browser's cache, so that a 304 is the service's own.
    const answer = await fetch(url, { ...options, cache: 'no-store', signal: AbortSignal.timeout(60_000) });
    await showAnswer(answer, started, out);
  } catch (error) {
    // The browser does not say why; it also refuses headers with characters outside Latin-1.
    const advice = 'See that the service runs, and that token and headers have plain characters only.';
    out.summary.replaceChildren(el('b.status.bad', 'No answer'), ` ${error.message}. ${advice}`);
  }
}

async function copy(from, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(from.textContent);
  } catch {
    // Without https a script has no clipboard: select the line, so that one key copies it at least.
    getSelection().selectAllChildren(from);
    done = document.execCommand('copy');
  }
  button.textContent = done ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => button.replaceChildren('Copy'), 2000);
}

function inputFor(parameter, operationId) {
  const id = `${operationId}-${parameter.in}-${parameter.name}`;
  const values = alternatives(parameter.schema).find((one) => one.enum)?.enum;
  const options = unique(values?.map(String)).map((one) => el('option', one));
  const input = values
    ? el('select', { id }, el('option', { value: '' }, 'not sent'), options)
    : el('input', { id, value: parameter.example ?? '', autocomplete: 'off', spellcheck: 'false' });
  input.required = parameter.required ?? false;
  input.addEventListener('input', () => input.removeAttribute('aria-invalid'));
  const label = el('label', { for: id }, el('code', parameter.name), el('span.soft', ` ${parameter.in}`));
  return { parameter, input, row: el('div.input', label, input) };
}

function bodyInput(media, operationId) {
  if (!media) return {};
  const id = `${operationId}-body`;
  const text = JSON.stringify(media.example ?? {}, null, 2);
  const rows = Math.min(20, text.split('\n').length + 1);
  const textarea = el('textarea', { id, rows, spellcheck: 'false', autocomplete: 'off' }, text);
  return { textarea, row: el('div.input', el('label', { for: id }, 'Body, as JSON'), textarea) };
}

function tryIt(operation, media) {
  const inputs = operation.parameters.map((parameter) => inputFor(parameter, operation.operationId));
  const { textarea, row } = bodyInput(media, operation.operationId);
  const curl = el('code');
  const copying = el('button', { type: 'button', click: () => copy(curl, copying) }, 'Copy');
  const out = { summary: el('p.answer', { role: 'status' }), detail: el('div') };
  let busy = false;
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await send(requestOf(operation, inputs, textarea), out);
    busy = false;
  };
  const keydown = (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
  };
  operation.refresh = () => curl.replaceChildren(curlLine(requestOf(operation, inputs, textarea)));
  operation.refresh();
  const button = el('button.main', { 'aria-keyshortcuts': 'Control+Enter' }, 'Send');
  const warning = operation.method === 'GET' ? null : el('span.soft', 'Changes real data');
  return el('form.try', { submit, keydown, input: operation.refresh, novalidate: '' }, [
    el('h4', 'Try it'),
    inputs.map((one) => one.row),
    row,
    el('div.send', button, el('kbd', 'Ctrl Enter'), warning),
    out.summary,
    out.detail,
    el('div.curl', el('span', 'As a curl line'), copying),
    block('curl line', curl),
  ]);
}

// ---- Operations and navigation ----

function fillPanel(operation) {
  const { description, parameters, deprecated, requestBody, responses } = operation;
  const media = requestBody?.content['application/json'];
  const old = 'Deprecated: it keeps working, but new programs should use another operation.';
  const words = el('div.words', [
    deprecated ? el('p.notice', old) : null,
    description ? el('p', inline(description)) : null,
    parameters.length > 0 ? [el('h4', 'Parameters'), fieldTable('Parameters', parameters)] : null,
    media ? [el('h4', 'Request body'), fieldTable('Request body', fieldsOf(media.schema))] : null,
    el('h4', 'Answers'),
    el('ul.answers', Object.entries(responses).map(answerItem)),
  ]);
  operation.panel.append(words, tryIt(operation, media));
}

function setOpen(operation, open) {
  if (open && !operation.panel.hasChildNodes()) fillPanel(operation);
  operation.panel.hidden = !open;
  operation.button.setAttribute('aria-expanded', open);
  for (const { link } of operations.values()) link.removeAttribute('aria-current');
  if (open) operation.link.setAttribute('aria-current', 'true');
}

/** Opens the operation that the address names and brings it into view. */
function reveal() {
  const operation = operations.get(location.hash.slice(1));
  if (!operation) return;
  if (operation.frame.hidden) search('');
  setOpen(operation, true);
  at('page-menu').setAttribute('aria-expanded', 'false');
  operation.button.focus({ preventScroll: true });
  operation.frame.scrollIntoView();
}

function prepare(operation) {
  const { operationId: id, method, path, summary, tags, deprecated } = operation;
  const badge = () => el(`span.method.${method.toLowerCase()}`, method);
  const click = () => {
    setOpen(operation, operation.panel.hidden);
    if (!operation.panel.hidden) history.replaceState(null, '', `#${id}`);
  };
  const head = { type: 'button', 'aria-expanded': 'false', 'aria-controls': `${id}-panel`, click };
  operation.button = el('button.head', head, [
    badge(),
    el('span.path', breakable(path)),
    el('span.summary', summary),
    deprecated ? el('span.old', 'deprecated') : null,
  ]);
  operation.panel = el('div.panel', { id: `${id}-panel`, hidden: '' });
  operation.frame = el('div.operation', { id }, el('h3', operation.button), operation.panel);
  // The same address again changes nothing, so a click reveals by itself.
  operation.link = el('a', { href: `#${id}`, click: () => setTimeout(reveal) }, badge(), el('span', summary));
  operation.text = [method, path, summary, id, tags].join(' ').toLowerCase();
  operations.set(id, operation);
}

function search(text) {
  at('page-search').value = text;
  const words = text.toLowerCase().split(/\s+/);
  let found = 0;
  for (const operation of operations.values()) {
    const hit = words.every((word) => operation.text.includes(word));
    operation.frame.hidden = !hit;
    operation.link.parentNode.hidden = !hit;
    if (hit) found += 1;
  }
  for (const group of document.querySelectorAll('.group')) {
    group.hidden = !group.querySelector(':is(.operation, li):not([hidden])');
  }
  at('page-found').textContent = `${found} of ${operations.size} operations`;
  at('page-none').hidden = found > 0;
}

function searchKeys(event) {
  const first = [...operations.values()].find((operation) => !operation.frame.hidden);
  if (event.key === 'Enter') first?.link.click();
  if (event.key === 'Escape') search('');
}

function pageKeys(event) {
  const typing = event.target.closest?.('input:not([type=checkbox]), textarea, select');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  at('page-search').focus();
}

function startNavigation() {
  const menu = at('page-menu');
  const toggle = () => menu.setAttribute('aria-expanded', menu.getAttribute('aria-expanded') === 'false');
  menu.addEventListener('click', toggle);
  at('page-search').addEventListener('input', (event) => search(event.target.value));
  at('page-search').addEventListener('keydown', searchKeys);
  addEventListener('keydown', pageKeys);
  addEventListener('hashchange', reveal);
}

function render() {
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, given] of Object.entries(methods)) {
      const operation = { parameters: [], tags: ['other'], ...given, path, method: method.toUpperCase() };
      const [tag] = operation.tags;
      prepare(operation);
      groups.set(tag, [...(groups.get(tag) ?? []), operation]);
    }
  }
  for (const { name: title, description } of api.tags) {
    const members = groups.get(title) ?? [];
    const links = members.map((operation) => el('li', operation.link));
    const frames = members.map((operation) => operation.frame);
    at('page-nav').append(el('div.group', el('h2', title), el('ul', links)));
    at('page-operations').append(
      el(
        'section.group',
        { 'aria-label': title },
        el('h2', title),
        el('p.soft', inline(description)),
        frames,
      ),
    );
  }
  const { schema } = api.components.responses.Failure.content['application/json'];
  at('page-failures').append(fieldTable('Body of a failure', fieldsOf(schema)));
  at('page-failures').hidden = false;
  at('page-about').replaceChildren(...inline(api.info.description));
}

async function load() {
  const status = at('page-status');
  try {
    const answer = await fetch(new URL('openapi.json', BASE));
    if (!answer.ok) throw new Error(`openapi.json answered ${answer.status}`);
    Object.assign(api, await answer.json());
  } catch (error) {
    console.warn(error);
    status.replaceChildren(hint('hint-unreadable'));
    status.querySelector('button').addEventListener('click', load);
    return;
  }
  status.replaceChildren();
  render();
  reveal();
}

startToken();
startNavigation();
void load();
