/** Asks an application in this process, as a client asks it over a network. */
import type { HttpBindings } from '@hono/node-server';
import type { Composition } from 'fleetsift';

/** An answer, with its body as text and, if it is JSON, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A string is sent as the body unchanged, anything else as JSON. */
export async function askApp(
  { app }: Pick<Composition, 'app'>,
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  bindings: Partial<HttpBindings> = {},
): Promise<Answer> {
  const request = {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
  const response = await app.request(path, request, bindings);
  const text = await response.text();
  const isJson = text !== '' && /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}
