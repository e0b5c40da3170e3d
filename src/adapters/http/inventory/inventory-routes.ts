/** Contract: §13. */
import { Hono } from 'hono';
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { type AuthenticateReporter, REPORTER_CHALLENGE } from '#adapters/http/read/authenticate-reporter.ts';
import type { FindClientAddress } from '#adapters/http/read/client-address.ts';
import { readBody, readBytes } from '#adapters/http/read/read-body.ts';
import { organization, querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import {
  ENROLMENT_KEY_NOT_FOUND,
  type EnrolmentUseCases,
} from '#application/enrolment/enrolment-use-cases.ts';
import type { AnswerAgent } from '#application/inventory/answer-agent.ts';
import type { TakeInventory } from '#application/inventory/take-inventory.ts';
import { type CodedDocument, MAX_DOCUMENT_BYTES } from '#application/ports/fleet/message-reader.ts';
import type { EnrolmentKey as KeyFacts } from '#domain/access/enrolment-key.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import {
  AGENT_ANSWER,
  CREATED_ENROLMENT_KEY,
  type CreatedEnrolmentKey,
  ENROLMENT_KEYS,
  type EnrolmentKey,
  INVENTORY_DOCUMENT,
  NEW_ENROLMENT_KEY,
  TAKEN_INVENTORY,
  type TakenInventory,
} from './inventory-shapes.ts';
import { NO_JOBS, presentAgentAnswer } from './present-agent.ts';

const INVENTORY_QUERY = querySchema({
  orgId: organization('The organization that owns the device; required if the caller reaches several.'),
});

const DOCUMENT = {
  ...body(INVENTORY_DOCUMENT),
  codings: ['application/x-compress-zlib', 'application/x-compress-gzip', 'application/xml'],
};

export const INVENTORY_OPERATIONS: Operations = operations('inventory', {
  'POST /inventory': {
    id: 'reportAsAgent',
    summary: 'Report as an agent, in the GLPI protocol',
    asker: 'machine',
    body: DOCUMENT,
    answers: { 200: json('What the agent should do next.', AGENT_ANSWER) },
    problems: ['conflict', 'quota_exceeded'],
  },
  'GET /inventory': {
    id: 'readAgentConfig',
    summary: "Read an agent's jobs, of which there are none",
    description: 'Only with `?action=getConfig`.',
    asker: 'machine',
    answers: {
      200: {
        description: 'No jobs.',
        content: { 'application/json': { schema: AGENT_ANSWER, example: {} } },
      },
    },
  },
  'POST /api/v1/inventory': {
    id: 'takeInventory',
    summary: 'Report a machine from a script',
    permission: DEVICES_WRITE,
    query: INVENTORY_QUERY,
    body: DOCUMENT,
    answers: {
      200: json('A known device was updated.', TAKEN_INVENTORY),
      201: json('A new device was added.', TAKEN_INVENTORY, ['Location']),
    },
    problems: ['conflict', 'not_found', 'quota_exceeded'],
  },
  'GET /api/v1/enrolment-keys': {
    id: 'listEnrolmentKeys',
    summary: 'List the enrolment keys in reach',
    permission: DEVICES_WRITE,
    answers: { 200: json('Without the keys themselves.', ENROLMENT_KEYS) },
  },
  'POST /api/v1/enrolment-keys': {
    id: 'createEnrolmentKey',
    summary: 'Create a key that lets machines of an organization report',
    permission: DEVICES_WRITE,
    needsFreshMfa: true,
    body: body(NEW_ENROLMENT_KEY),
    answers: { 201: json('The only answer that contains the key.', CREATED_ENROLMENT_KEY) },
    problems: ['not_found', 'quota_exceeded'],
  },
  'DELETE /api/v1/enrolment-keys/:id': {
    id: 'revokeEnrolmentKey',
    summary: 'Revoke an enrolment key',
    permission: DEVICES_WRITE,
    answers: { 204: empty('The key no longer works.') },
  },
});

export interface AgentRoutesDeps {
  readonly answerAgent: AnswerAgent;
  readonly authenticateReporter: AuthenticateReporter;
  readonly findClientAddress: FindClientAddress;
}

/** Agents know no address but `/inventory`, and speak their own protocol. */
export function agentRoutes({
  answerAgent,
  authenticateReporter,
  findClientAddress,
}: AgentRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/', authenticateReporter, async (c) => {
    const document = orRefuse(await readDocumentBody(c));
    const userAgent = c.req.header('user-agent') ?? null;
    const answer = await answerAgent({
      requestId: c.get('requestId'),
      ip: findClientAddress(c),
      key: c.get('enrolmentKey'),
      orgId: c.get('reporterOrgId'),
      userAgent,
      document,
    });
    if (answer.ok) return respondJson(c, 200, presentAgentAnswer(answer.value, c.req.raw.headers));
    const isChallenged = answer.error.code === 'unauthenticated';
    return respondProblem(c, answer.error, isChallenged ? REPORTER_CHALLENGE : {});
  });

  routes.get('/', authenticateReporter, (c) =>
    c.req.query('action') === 'getConfig'
      ? respondJson(c, 200, NO_JOBS)
      : respondProblem(c, {
          code: 'bad_request',
          detail: 'Send inventories by POST; GET answers action=getConfig alone.',
        }),
  );

  return routes;
}

export interface InventoryRoutesDeps {
  readonly takeInventory: TakeInventory;
  readonly enrolment: EnrolmentUseCases;
  readonly authenticate: Authenticate;
}

export function inventoryRoutes({
  takeInventory,
  enrolment,
  authenticate,
}: InventoryRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/inventory', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, INVENTORY_QUERY));
    const document = orRefuse(await readDocumentBody(c));
    const input = { orgId: query.orgId, document };
    const { deviceId, created } = orRefuse(await takeInventory(c.get('call'), input));
    const headers = created ? { Location: `/api/v1/devices/${deviceId}` } : {};
    const answer = JSON.stringify({ deviceId, created } satisfies TakenInventory);
    return respondJson(c, created ? 201 : 200, answer, headers);
  });

  routes.get('/enrolment-keys', authenticate, async (c) =>
    respondResult(c, await enrolment.listEnrolmentKeys(c.get('call')), (keys) =>
      JSON.stringify({ data: keys.map(toKey) }),
    ),
  );

  routes.post('/enrolment-keys', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, NEW_ENROLMENT_KEY));
    const created = await enrolment.createEnrolmentKey(c.get('call'), body);
    return respondResult(
      c,
      created,
      ({ summary, key }) => JSON.stringify({ ...toKey(summary), key } satisfies CreatedEnrolmentKey),
      201,
    );
  });

  routes.delete('/enrolment-keys/:id', authenticate, async (c) => {
    const id = pathId<'enrolment-key'>(c, ENROLMENT_KEY_NOT_FOUND);
    return respondDone(c, await enrolment.revokeEnrolmentKey(c.get('call'), id));
  });

  return routes;
}

/** Agents without compression send their first message as application/xml. */
const CODINGS: ReadonlyMap<string, CodedDocument['coding']> = new Map([
  ['application/json', 'plain'],
  ['application/xml', 'plain'],
  ['application/x-compress-zlib', 'zlib'],
  ['application/x-compress-gzip', 'gzip'],
]);

async function readDocumentBody(c: HttpContext): Promise<Result<CodedDocument, Problem>> {
  const { headers } = c.req.raw;
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  const coding = CODINGS.get(mediaType.trim().toLowerCase());
  const contentCoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (coding === undefined || contentCoding !== 'identity') return err(NO_DOCUMENT);
  const bytes = await readBytes(c, MAX_DOCUMENT_BYTES);
  return bytes.ok ? ok({ bytes: bytes.value, coding }) : bytes;
}

export const NO_DOCUMENT: Problem = {
  code: 'unsupported_media_type',
  detail:
    'Content-Type must be application/json, application/x-compress-zlib or application/x-compress-gzip, without a Content-Encoding.',
};

function toKey({ id, orgId, siteId, name, expiresAt, createdAt }: KeyFacts): EnrolmentKey {
  return {
    id,
    orgId,
    siteId,
    name,
    expiresAt: printInstantOrNull(expiresAt),
    createdAt: printInstant(createdAt),
  };
}
