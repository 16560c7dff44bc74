// One request for every code: what brings it about, told as a table.
import type { FaultCode, ProblemCode } from '../../../src/kinds/problem.ts';
import { menu } from '../../support/payload.ts';
import { toneWav } from '../../support/phone/tone-recording.ts';
import { recordingForm } from '../../support/recording-form.ts';
import { type CallOptions, call, type Reply, TOKEN } from '../../support/service.ts';
import { roundTrip, type WireReply } from './wire.ts';

type Ask = (url: string) => Promise<Reply | WireReply>;
/** Headers that the answer must have beside its body. */
type More = Readonly<Record<string, string | RegExp>>;
type Failing = [what: string, code: ProblemCode, ask: Ask, more?: More];

const ask =
  (method: string, path: string, options: CallOptions = {}): Ask =>
  (url) =>
    call(url, method, path, options);
const post = (path: string, body: unknown, headers = {}): Ask => ask('POST', path, { body, headers });
const raw =
  (bytes: string, end = false): Ask =>
  (url) =>
    roundTrip(url, bytes, { end });

const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;
const JSON_HEAD = `POST /v1/ivr HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;
const team = { name: 'A team' };

/** Sends all in turn; the last one's answer counts. */
function inTurn(...asks: readonly Ask[]): Ask {
  return async (url) => {
    let reply: Reply | WireReply | undefined;
    for (const one of asks) reply = await one(url);
    if (!reply) throw new Error('Nothing was sent.');
    return reply;
  };
}

/** Many at once with one key: one of them runs while another arrives. */
const whileRunning: Ask = async (url) => {
  for (let round = 1; round <= 50; round++) {
    const same = post('/v1/ivr', menu(), { 'idempotency-key': `round ${round}` });
    const replies = await Promise.all(Array.from({ length: 20 }, () => same(url)));
    const refused = replies.find(({ status }) => status === 409);
    if (refused) return refused;
  }
  throw new Error('No two requests met.');
};

/** A short tone whose header claims so many bytes. */
function claiming(bytes: number): Buffer {
  const wav = toneWav(1_000, 100);
  wav.writeUInt32LE(bytes, 40);
  return wav;
}

// biome-ignore format: a table is read by its columns
export const FAILURES: readonly Failing[] = [
  ['bytes that are not HTTP', 'http_malformed', raw('hello\r\n\r\n')],
  ['the greeting of TLS', 'http_malformed', raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n')],
  ['an unknown method', 'http_malformed', raw(`BREW /v1/agents HTTP/1.1\r\n${HEAD}\r\n`)],
  ['an unknown version of HTTP', 'http_malformed', raw(`GET /v1/agents HTTP/9.9\r\n${HEAD}\r\n`)],
  ['a request without Host', 'http_malformed', raw('GET /v1/agents HTTP/1.1\r\n\r\n')],
  ['two lengths of one body', 'http_malformed', raw(`${JSON_HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`)],
  ['a negative length', 'http_malformed', raw(`${JSON_HEAD}Content-Length: -1\r\n\r\n`)],
  ['a chunk without a size', 'http_malformed', raw(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`)],
  ['half a body, then the end', 'http_malformed', raw(`${JSON_HEAD}Content-Length: 100\r\n\r\n{"name":`, true)],
  ['half a chunk, then the end', 'http_malformed', raw(`${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\n{"na`, true)],
  ['a percent sign alone', 'uri_malformed', ask('GET', '/v1/ivr/%')],
  ['a percent-encoding that is not UTF-8', 'uri_malformed', ask('GET', '/v1/ivr/%FF')],
  ['half of a surrogate pair in UTF-8', 'uri_malformed', ask('GET', '/v1/ivr/%ED%A0%80')],
  ['NUL in the path', 'uri_malformed', ask('GET', '/v1/ivr/%00')],
  ['a body cut short', 'body_malformed', post('/v1/ivr', '{"name":')],
  ['an empty body', 'body_malformed', post('/v1/ivr', '', { 'content-type': 'application/json' })],
  ['a body in Latin-1', 'body_not_utf8', post('/v1/ivr', Buffer.from('{"name":"\xe9"}', 'latin1'))],
  ['a list as body', 'body_not_object', post('/v1/ivr', [])],
  ['null as body', 'body_not_object', post('/v1/ivr', 'null')],
  ['a deep body', 'body_too_deep', post('/v1/ivr', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`)],
  ['a body of very many values', 'body_too_many_values', post('/v1/ivr', { a: Array(10_001).fill(0) })],
  ['an empty object', 'fields_invalid', post('/v1/ivr', {})],
  ['a page of no size', 'query_invalid', ask('GET', '/v1/ivrs?limit=0')],
  ['a parameter that comes twice', 'query_invalid', ask('GET', '/v1/ivrs?limit=1&limit=2')],
  ['NUL in a cursor', 'query_invalid', ask('GET', `/v1/ivrs?cursor=${btoa('["\\u0000"]')}`)],
  ['a long Idempotency-Key', 'idempotency_key_malformed', post('/v1/ivr', menu(), { 'idempotency-key': 'x'.repeat(256) })],
  ['an If-Match of another form', 'if_match_malformed', ask('PUT', '/v1/team/1', { body: team, headers: { 'if-match': 'one' } })],
  ['no token', 'token_missing', ask('GET', '/v1/agents', { token: null }), { 'www-authenticate': 'Bearer realm="dialtree"' }],
  ['an unknown token', 'token_invalid', ask('GET', '/v1/agents', { token: 'unknown' }), { 'www-authenticate': /error="invalid_token"/ }],
  ['a one-time link that nobody made', 'link_invalid', ask('POST', '/v1/session', { token: null, body: { link: 'nobody-made-this' } })],
  ['a cookie without the header that names its account', 'csrf_refused', ask('POST', '/v1/team', { token: null, body: team, headers: { cookie: 'dialtree_session=x' } })],
  ['an unknown address', 'path_unknown', ask('GET', '/v1/nothing')],
  ['an unknown address and no token', 'path_unknown', ask('POST', '/nothing', { token: null })],
  ['an unknown file of the documentation', 'path_unknown', ask('GET', '/docs/docs.html')],
  ['an unknown id', 'record_unknown', ask('GET', '/v1/ivr/unknown')],
  ['an id with a name from JavaScript', 'record_unknown', ask('GET', '/v1/agent/__proto__')],
  ['another method', 'method_not_allowed', ask('PATCH', '/v1/ivr'), { allow: 'POST' }],
  ['another method where GET is', 'method_not_allowed', ask('PUT', '/v1/agents', { body: {} }), { allow: 'GET, HEAD' }],
  ['a method that HTTP has and we have not', 'method_not_allowed', ask('PROPFIND', '/v1/ivr/1'), { allow: 'DELETE, GET, HEAD, PATCH, PUT' }],
  ['such a method at an unknown address', 'path_unknown', ask('SEARCH', '/v1/nothing')],
  ['another method and no token', 'method_not_allowed', ask('OPTIONS', '/v1/ivr/1', { token: null }), { allow: 'DELETE, GET, HEAD, PATCH, PUT' }],
  ['a key whose first request runs', 'idempotency_key_running', whileRunning, { 'retry-after': '1' }],
  ['deleting what is pointed to', 'still_referenced', inTurn(post('/v1/agent', { name: 'x', eid: 'needed' }), post('/v1/department', { name: 'x', agents: ['needed'] }), ask('DELETE', '/v1/agent/needed'))],
  ['an eid that is taken', 'key_taken', inTurn(post('/v1/agent', { name: 'x', eid: 'taken' }), post('/v1/agent', { name: 'x', eid: 'taken' }))],
  ['an eid that a former agent had', 'key_retired', inTurn(post('/v1/agent', { name: 'x', eid: 'former' }), ask('DELETE', '/v1/agent/former'), post('/v1/agent', { name: 'x', eid: 'former' }))],
  ['a dialled number that is taken', 'key_taken', inTurn(post('/v1/number', { number: '77', destination: 'hangup||now' }), post('/v1/number', { number: '77', destination: 'hangup||now' }))],
  ['a menu that fails its own test', 'tests_failed', post('/v1/ivr', menu({ tests: [{ name: 'x', script: '1', expect: { outcome: 'voicemail' } }] }))],
  ['a lost update', 'version_changed', inTurn(post('/v1/team', team), ask('PUT', '/v1/team/1', { body: team }), ask('PUT', '/v1/team/1', { body: team, headers: { 'if-match': '"1"' } })), { etag: '"2"' }],
  ['a large body', 'body_too_large', post('/v1/ivr', { name: 'x'.repeat(300_000) })],
  ['a large body and no token', 'body_too_large', ask('POST', '/v1/ivr', { token: null, body: { name: 'x'.repeat(300_000) } })],
  ['a long id', 'uri_too_long', ask('GET', `/v1/ivr/${'x'.repeat(201)}`)],
  ['a very long id', 'uri_too_long', ask('DELETE', `/v1/agent/${'x'.repeat(10_000)}`)],
  ['a body of another type', 'content_type_unsupported', post('/v1/ivr', '<a/>', { 'content-type': 'application/xml' })],
  ['a type that is none', 'content_type_unsupported', post('/v1/ivr', '{}', { 'content-type': 'json' })],
  ['neither body nor type', 'content_type_unsupported', ask('POST', '/v1/ivr')],
  ['an expectation', 'expectation_failed', raw(`GET /v1/agents HTTP/1.1\r\n${HEAD}Expect: tea\r\n\r\n`)],
  ['a key for two bodies', 'idempotency_key_reused', inTurn(post('/v1/team', team, { 'idempotency-key': 'k' }), post('/v1/team', { name: 'B' }, { 'idempotency-key': 'k' }))],
  ['too many SMS in a minute', 'sms_rate_limited', (url) => tooManySms(url), { 'retry-after': /^[0-9]+$/ }],
  ['a call where there are no telephones', 'telephones_off', post('/v1/click_to_call', { agent: '1', number: '2' })],
  ['an upload where none is taken', 'content_type_unsupported', ask('POST', '/v1/ivr', { body: recordingForm() })],
  ['an upload without a boundary', 'upload_malformed', post('/v1/recording', 'x', { 'content-type': 'multipart/form-data' })],
  ['an upload cut short', 'upload_malformed', post('/v1/recording', '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nRIFF', { 'content-type': 'multipart/form-data; boundary=x' })],
  ['a text file as recording', 'audio_unsupported', ask('POST', '/v1/recording', { body: recordingForm({}, Buffer.from('Hello')) })],
  ['a range beyond the end', 'range_not_satisfiable', async (url) => {
    const made = (await post('/v1/recording', recordingForm())(url)) as Reply;
    return ask('GET', `/v1/recording/${made.json.id}/audio`, { headers: { range: 'bytes=99999-' } })(url);
  }, { 'content-range': /^bytes \*\/\d+$/ }],
  ['a WAV file without sound', 'audio_malformed', ask('POST', '/v1/recording', { body: recordingForm({}, toneWav(1_000, 0)) })],
  ['a recording of an hour', 'audio_too_long', ask('POST', '/v1/recording', { body: recordingForm({}, claiming(3600 * 16_000)) })],
  ['a recording from this machine', 'url_not_fetched', async (url) => post('/v1/recording', { url })(url)],
  ['large headers', 'headers_too_large', raw(`GET /v1/agents HTTP/1.1\r\n${HEAD}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`)],
  ['an endless address', 'headers_too_large', raw(`GET /${'x'.repeat(17_000)} HTTP/1.1\r\n${HEAD}\r\n`)],
];

/** As many as an account may send in a minute, and one more; a new minute may begin meanwhile. */
const tooManySms: Ask = async (url) => {
  for (let sent = 0; sent < 200; sent++) {
    const reply = await post('/v1/sms', { to: '+4915112345678', text: 'Hello' })(url);
    if (reply.status !== 201) return reply;
  }
  throw new Error('There is no end to SMS.');
};

const fifty = Array.from({ length: 51 }, (_, at) => String(at));

/** One body or query per code of a field, and where the fault is. */
// biome-ignore format: a table is read by its columns
export const FAULTY: readonly [code: FaultCode, pointer: string, ask: Ask][] = [
  ['unknown_member', '/nmae', post('/v1/team', { nmae: 'x' })],
  ['unknown_parameter', '/dry', post('/v1/team?dry=1', { name: 'x' })],
  ['field_missing', '/name', post('/v1/ivr', menu({ name: null }))],
  ['text_expected', '/name', post('/v1/ivr', menu({ name: 5 }))],
  ['text_empty', '/name', post('/v1/ivr', menu({ name: ' \u3000' }))],
  ['text_too_long', '/description', post('/v1/ivr', menu({ description: 'x'.repeat(1001) }))],
  ['text_control_character', '/name', post('/v1/ivr', menu({ name: 'a\nb' }))],
  ['text_nul', '/description', post('/v1/ivr', menu({ description: 'a\0b' }))],
  ['text_surrogate', '/name', post('/v1/ivr', menu({ name: 'a\ud800' }))],
  ['text_malformed', '/follow_me_number', post('/v1/agent', { name: 'x', follow_me_number: 'home' })],
  ['number_malformed', '/timeout', post('/v1/ivr', menu({ timeout: 'soon' }))],
  ['number_out_of_range', '/timeout', post('/v1/ivr', menu({ timeout: 601 }))],
  ['value_not_allowed', '/product_clicktocall', post('/v1/agent', { name: 'x', product_clicktocall: 2 })],
  ['list_expected', '/option', post('/v1/ivr', menu({ option: '1' }))],
  ['list_expected', '/sms_template', post('/v1/ivr', menu({ sms_template: 'none' }))],
  ['list_too_short', '/option', post('/v1/ivr', menu({ option: [] }))],
  ['list_too_long', '/option', post('/v1/ivr', menu({ option: fifty }))],
  ['option_malformed', '/option/1', post('/v1/ivr', menu({ option: ['1', 'A'] }))],
  ['option_duplicate', '/option/1', post('/v1/ivr', menu({ option: ['1', 1] }))],
  ['destination_count_differs', '/destination', post('/v1/ivr', menu({ destination: ['extension||1'] }))],
  ['destination_malformed', '/timeout_destination', post('/v1/ivr', menu({ timeout_destination: '100001' }))],
  ['destination_unknown_kind', '/timeout_destination', post('/v1/ivr', menu({ timeout_destination: 'moon||1' }))],
  ['number_not_allowed', '/timeout_destination', post('/v1/ivr', menu({ timeout_destination: 'number||+4930123456' }))],
  ['recording_malformed', '/recording', post('/v1/ivr', menu({ recording: 'a b' }))],
  ['recording_unknown_kind', '/recording', post('/v1/ivr', menu({ recording: 'extension||1' }))],
  ['sms_template_malformed', '/sms_template/0', post('/v1/ivr', menu({ sms_template: [true] }))],
  ['sms_template_too_many', '/sms_template', post('/v1/ivr', menu({ sms_template: [1, 2, 3] }))],
  ['reference_duplicate', '/agents/1', post('/v1/department', { name: 'x', agents: ['1', '1'] })],
  ['callback_key_taken', '/callback_key', post('/v1/department', { name: 'x', exit_key: '5', callback_key: '5' })],
  ['cursor_malformed', '/cursor', ask('GET', '/v1/ivrs?cursor=nonsense')],
  ['test_malformed', '/tests/0/name', post('/v1/ivr', menu({ tests: [{ script: '1', expect: { outcome: 'connected' } }] }))],
  ['scenario_malformed', '/script', post('/v1/simulate', { ivr: menu(), script: 'dance' })],

  ['timezone_unknown', '/timezone', post('/v1/timegroup', { name: 'x', timezone: 'Berlin' })],

  ['sms_variable_unknown', '/text', post('/v1/sms_template', { name: 'x', text: 'Hello {Who}' })],
  ['sms_too_long', '/text', post('/v1/sms', { to: '+4915112345678', text: 'ж'.repeat(1000) })],
  ['sms_template_unusable', '/template', post('/v1/sms', { to: '+4915112345678', template: 'none' })],

  ['webhook_malformed', '/webhook/0', post('/v1/ivr', menu({ webhook: ['a b'] }))],
  ['webhook_too_many', '/webhook', post('/v1/ivr', menu({ webhook: ['a', 'b', 'c'] }))],
  ['url_refused', '/url', post('/v1/webhook', { name: 'x', url: 'http://169.254.169.254/' })],
  ['time_malformed', '/from', inTurn(post('/v1/webhook', { name: 'x', url: 'https://hooks.example.com/' }), post('/v1/webhook/any/replay', { from: 'yesterday' }))],

  // The service of the suite has a gateway in its environment.
  ['variable_fixed', '/sms_url', ask('PATCH', '/v1/configuration', { body: { sms_url: 'smpp://a:b@127.0.0.1' } })],

  // Last: from here on the account is strict.
  ['reference_unknown', '/recording', inTurn(ask('PATCH', '/v1/settings', { body: { strict_references: true } }), post('/v1/ivr', menu()))],
];
