/** Requests over kept connections, from a chosen address. */
import { Agent, type ClientRequest, request } from 'node:http';
import { type Credential, credentialHeaders } from './target.ts';

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Default: `/api/v1`. */
  readonly base?: '';
  readonly path: string;
  readonly credential?: Credential;
  /** As JSON. */
  readonly body?: string;
  /** Default: the system's choice. */
  readonly from?: string | undefined;
}

/** Read to its end. The text is kept only on request. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 500, maxFreeSockets: 500 });

/** Null without a complete answer, also after the signal. */
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
    // Text that is not kept is not decoded either, because the service may share the machine.
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
