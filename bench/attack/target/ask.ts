/** Requests over kept connections, from an address of one's choice. */
import { Agent, type ClientRequest, request } from 'node:http';
import { type Credential, credentialHeaders } from './target.ts';

export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Default: `/api/v1`. */
  readonly base?: '';
  readonly path: string;
  readonly credential?: Credential;
  /** JSON. */
  readonly body?: string;
  /** The address to ask from; by default the system's choice. */
  readonly from?: string | undefined;
}

/** Its end has been read; the text only where it was asked for. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 500, maxFreeSockets: 500 });

/** Null where no whole answer came, also because of the signal. */
export function ask(
  url: string,
  question: Question,
  { signal, keepText = false }: { readonly signal?: AbortSignal; readonly keepText?: boolean } = {},
): Promise<Answer | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const { method = question.body === undefined ? 'GET' : 'POST', path, credential, body, from } = question;
  const { base = '/api/v1' } = question;
  const asked: ClientRequest = request(`${url}${base}${path}`, {
    agent,
    method,
    headers: {
      ...(credential !== undefined && credentialHeaders(credential)),
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      }),
    },
    ...(from !== undefined && { localAddress: from }),
    ...(signal !== undefined && { signal }),
  });
  asked.on('response', (response) => {
    let text = '';
    // What is not kept is not decoded either: the machine may be the service's as well.
    if (keepText) response.setEncoding('utf8').on('data', (part: string) => (text += part));
    else response.resume();
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    response.on('error', () => resolve(null));
    response.on('close', () => resolve(null));
  });
  asked.on('error', () => resolve(null));
  asked.end(body);
  return promise;
}
