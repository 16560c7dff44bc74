// What the shared client does not return: the progress of an upload, and the id of a new menu.
import { type Client, createClient } from '../../../../client/client.ts';

type Progress = (part: number) => void;

/** The typed client over XMLHttpRequest, which reports upload progress. */
export function uploadingClient(accountId: string, onProgress: Progress): Client<'minimal'> {
  return createClient({
    url: '',
    attempts: 1,
    prefer: 'minimal',
    fetch: (input, init) => upload(String(input), init ?? {}, accountId, onProgress),
  });
}

function upload(url: string, init: RequestInit, accountId: string, onProgress: Progress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? 'POST', url);
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('dialtree-account', accountId);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('The service cannot be reached.'));
    request.send(init.body as XMLHttpRequestBodyInit);
  });
}

/**
 * POST /v1/ivr answers only Success and Message, so the id comes from its Location header. The idempotency key prevents a second
 * menu after a lost answer.
 */
export async function createMenu(
  accountId: string,
  input: Parameters<Client['createIvr']>[0],
): Promise<{ id: string; message: string }> {
  let location = '';
  const asking: typeof fetch = async (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('dialtree-account', accountId);
    const answer = await fetch(url, { ...init, headers, credentials: 'same-origin' });
    location = answer.headers.get('location') ?? '';
    return answer;
  };
  const menus = createClient({ url: '', fetch: asking, prefer: 'minimal' });
  const { Message: message } = await menus.createIvr(input);
  return { id: decodeURIComponent(location.split('/').at(-1) ?? ''), message };
}
