/** Agents for tests: a service that they report to, what they send, and how. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import type { Parts } from 'fleetsift';
import { randomSecrets } from '#adapters/auth/secret-generator.ts';
import type { EnrolmentKey } from '#domain/access/enrolment-key.ts';
import type { OrgId, SiteId } from '#domain/ids.ts';
import { type Answer, startService, type TestService } from '#test/api/service/service.ts';
import { newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

export interface Reporter extends Tenant {
  readonly key: string;
  readonly keyId: EnrolmentKey['id'];
  /** Sends a document as an agent does, deflated by default. */
  report(document: unknown, how?: Partial<Wire>): Promise<Answer>;
}

export interface Wire {
  readonly contentType: string;
  readonly encode: (text: string) => string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the machine. */
  readonly from: string;
}

export const ZLIB: Pick<Wire, 'contentType' | 'encode'> = {
  contentType: 'application/x-compress-zlib',
  encode: (text) => new Uint8Array(deflateSync(text)),
};
export const GZIP: Pick<Wire, 'contentType' | 'encode'> = {
  contentType: 'Application/x-compress-gzip',
  encode: (text) => new Uint8Array(gzipSync(text)),
};
export const PLAIN: Pick<Wire, 'contentType' | 'encode'> = {
  contentType: 'application/json',
  encode: (text) => text,
};

export function basic(key: string, user = 'any'): string {
  return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
}

/** The service without its demand for recent MFA. */
export function startAgentService(overrides: Partial<Parts> = {}): Promise<TestService> {
  return startService({ overrides: { requireFreshMfa: () => null, ...overrides } });
}

/** A new organization with a key, and agents that report with it. */
export async function addReporter(
  service: TestService,
  given: { readonly orgId?: OrgId; readonly siteId?: SiteId; readonly expiresAt?: number } = {},
): Promise<Reporter> {
  const tenant = await createTenant(service.composition.backend);
  const key = randomSecrets.enrolmentKey();
  const { orgId = tenant.orgId, siteId = null, expiresAt = null } = given;
  const keyId = newId<'enrolment-key'>();
  const refused = await service.composition.backend.unitOfWork(SYSTEM_SCOPE, (tx) =>
    tx.enrolmentKeys.add({
      id: keyId,
      orgId,
      siteId,
      name: 'Test',
      expiresAt,
      createdAt: SOME_INSTANT,
      keySha256: randomSecrets.digest(key),
    }),
  );
  if (refused !== null) throw new Error(`the key was refused: ${refused}`);
  return {
    ...tenant,
    orgId,
    key,
    keyId,
    report: (document, how) => send(service, document, { key, ...how }),
  };
}

/** A POST to `/inventory`. A document that is no text is sent as JSON. */
export async function send(
  service: TestService,
  document: unknown,
  { key, contentType, encode, headers, from }: Partial<Wire> & { readonly key?: string } = {},
  path = '/inventory',
): Promise<Answer> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const body = (encode ?? (contentType === undefined ? ZLIB.encode : PLAIN.encode))(text);
  const request = {
    method: 'POST',
    headers: {
      'Content-Type': contentType ?? ZLIB.contentType,
      'Content-Length': String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength),
      ...(key !== undefined && { Authorization: basic(key) }),
      ...headers,
    },
    body,
  };
  const socket = from === undefined ? {} : { incoming: { socket: { remoteAddress: from } } };
  const response = await service.composition.app.request(path, request, socket);
  return answerOf(response);
}

export async function get(service: TestService, query: string, key?: string): Promise<Answer> {
  const headers = {
    'Content-Type': 'application/json',
    ...(key !== undefined && { Authorization: basic(key) }),
  };
  return answerOf(await service.composition.app.request(`/inventory${query}`, { headers }));
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** What an agent sent, recorded by a server that it reported to. */
export function recorded(name: string): string {
  return readFileSync(join(FIXTURES, 'agents', name), 'utf8');
}

export function realInventory(
  name = 'computer_1',
): Record<string, unknown> & { content: Record<string, unknown> } {
  return JSON.parse(readFileSync(join(FIXTURES, 'glpi', `${name}.json`), 'utf8'));
}

export interface ListedDevice {
  readonly id: string;
  readonly hostname: string;
  readonly displayName: string | null;
  readonly status: string;
  readonly siteId: string | null;
  readonly lastSeenAt: string | null;
}

/** The devices of the reporter's organization, as a person sees them. */
export async function devicesOf(service: TestService, { userId }: Tenant): Promise<readonly ListedDevice[]> {
  const { status, text, body } = await service.asUser(userId)('GET', '/api/v1/devices');
  if (status !== 200) throw new Error(`no devices were answered: ${status} ${text}`);
  return (body as { data: readonly ListedDevice[] }).data;
}
