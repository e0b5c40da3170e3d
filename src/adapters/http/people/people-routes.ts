/** Contract: §16. */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { type ExtraHeaders, respondDone, respondJson, respondResult } from '#adapters/http/answer/respond.ts';
import type { RespondList } from '#adapters/http/answer/respond-list.ts';
import { API_KEYS, SESSIONS } from '#adapters/http/auth/auth-shapes.ts';
import { presentApiKeys, presentSessions } from '#adapters/http/auth/present-auth.ts';
import { EXAMPLE_ID } from '#adapters/http/common-shapes.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { explainIfMatch, parseRevisionIfMatch, personTagOf } from '#adapters/http/read/entity-tag.ts';
import { described, idOf, oneOf, optional, text } from '#adapters/http/read/query-parameters.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { AFTER, organization, pageSize, querySchema } from '#adapters/http/read/read-query.ts';
import { PERSON_NOT_FOUND } from '#application/application-error.ts';
import { API_KEY_NOT_FOUND, SESSION_NOT_FOUND } from '#application/people/others-access.ts';
import type { PeopleUseCases } from '#application/people/people-use-cases.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { PERSON_STATUSES, type Person } from '#domain/access/person.ts';
import { NEW_PERSON, PEOPLE_PAGE, PERSON, PERSON_CHANGE } from './people-shapes.ts';
import { presentPeople, presentPerson } from './present-people.ts';

const PEOPLE_QUERY = querySchema({
  search: described(
    optional(text, ''),
    'Only people whose name or email contains this text, in any case.',
    'moor',
  ),
  orgId: organization("Only people of this organization, without its partner's staff."),
  partnerId: described(optional(idOf<'partner'>(), null), "Only this partner's own staff."),
  status: described(optional(oneOf(PERSON_STATUSES), null), 'Only people in this status.', 'active'),
  cursor: described(optional(text, null), AFTER),
  limit: pageSize,
});

const TO_OTHERS = {
  permission: USERS_WRITE,
  needsFreshMfa: true,
  problems: ['exceeds_own_rights', 'own_account'],
} as const;

export const PEOPLE_OPERATIONS: Operations = operations('people', {
  'GET /api/v1/users': {
    id: 'listUsers',
    summary: 'List the people in reach by name',
    permission: USERS_WRITE,
    query: PEOPLE_QUERY,
    answers: { 200: json('A page of people.', PEOPLE_PAGE) },
    problems: ['invalid_cursor', 'not_found'],
  },
  'POST /api/v1/users': {
    id: 'inviteUser',
    summary: 'Invite a person, who gets a mail with a link',
    description: 'After ten answers `email_taken` within an hour, the caller has to wait.',
    permission: USERS_WRITE,
    needsFreshMfa: true,
    body: body(NEW_PERSON, {
      email: 'rosalind.moorcroft@kestrel-lane.example',
      name: 'Rosalind Moorcroft',
      scope: 'organization',
      orgId: EXAMPLE_ID.organization,
      permissions: ['users:write'],
    }),
    answers: { 201: json('The person, who is invited.', PERSON, ['ETag', 'Location']) },
    problems: ['email_taken', 'exceeds_own_rights', 'forbidden'],
  },
  'POST /api/v1/users/:id/invitation': {
    id: 'sendInvitation',
    summary: 'Send a new invitation; the earlier link no longer works',
    answers: { 204: empty('The mail is on its way.') },
    ...TO_OTHERS,
    problems: [...TO_OTHERS.problems, 'not_invited'],
  },
  'DELETE /api/v1/users/:id': {
    id: 'revokeInvitation',
    summary: 'Remove a person who is still invited',
    answers: { 204: empty('The person is gone, and the link is void.') },
    ...TO_OTHERS,
    problems: [...TO_OTHERS.problems, 'not_invited'],
  },
  'GET /api/v1/users/:id': {
    id: 'readUser',
    summary: 'Read a person',
    permission: USERS_WRITE,
    answers: { 200: json('The person.', PERSON, ['ETag']) },
  },
  'PATCH /api/v1/users/:id': {
    id: 'changeUser',
    summary: "Change a person's name, permissions, status, organization or partner",
    permission: USERS_WRITE,
    needsFreshMfa: true,
    conditional: 'If-Match',
    body: body(PERSON_CHANGE, { permissions: ['users:write'], status: 'active' }),
    answers: { 200: json('The changed person.', PERSON, ['ETag']) },
    problems: ['email_taken', 'exceeds_own_rights', 'last_administrator', 'not_invited', 'own_account'],
  },
  'POST /api/v1/users/:id/mfa-reset': {
    id: 'resetUserMfa',
    summary: "Remove a person's second factors and recovery codes, and end their sessions",
    answers: { 204: empty('They are gone; the person gets a mail.') },
    ...TO_OTHERS,
  },
  'GET /api/v1/users/:id/sessions': {
    id: 'listUserSessions',
    summary: 'List where a person is signed in',
    permission: USERS_WRITE,
    answers: { 200: json('Last used first, at most 200.', SESSIONS) },
  },
  'DELETE /api/v1/users/:id/sessions': {
    id: 'endUserSessions',
    summary: "End all of a person's sessions",
    answers: { 204: empty('They have ended.') },
    ...TO_OTHERS,
  },
  'DELETE /api/v1/users/:id/sessions/:sessionId': {
    id: 'endUserSession',
    summary: "End one of a person's sessions",
    answers: { 204: empty('It has ended.') },
    ...TO_OTHERS,
  },
  'GET /api/v1/users/:id/api-keys': {
    id: 'listUserApiKeys',
    summary: "List a person's API keys",
    permission: USERS_WRITE,
    answers: { 200: json('Newest first.', API_KEYS) },
  },
  'DELETE /api/v1/users/:id/api-keys': {
    id: 'revokeUserApiKeys',
    summary: "Revoke all of a person's API keys",
    answers: { 204: empty('They are revoked; the person gets mails.') },
    ...TO_OTHERS,
  },
  'DELETE /api/v1/users/:id/api-keys/:keyId': {
    id: 'revokeUserApiKey',
    summary: "Revoke one of a person's API keys",
    answers: { 204: empty('It is revoked; the person gets a mail.') },
    ...TO_OTHERS,
  },
});

export interface PeopleRoutesDeps {
  readonly people: PeopleUseCases;
  readonly respondList: RespondList;
  readonly authenticate: Authenticate;
}

export function peopleRoutes({ people, respondList, authenticate }: PeopleRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, (c) =>
    respondList(c, 'people', PEOPLE_QUERY, people.listPeople, presentPeople),
  );

  routes.post('/', authenticate, async (c) => {
    const invited = orRefuse(await people.invitePerson(c.get('call'), () => readBody(c, NEW_PERSON)));
    const { id } = invited;
    return respondPerson(c, invited, 201, { Location: `${c.req.path}/${id}` });
  });

  routes.post('/:id/invitation', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondDone(c, await people.sendInvitation(c.get('call'), id));
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondDone(c, await people.revokeInvitation(c.get('call'), id));
  });

  routes.get('/:id', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondPerson(c, orRefuse(await people.readPerson(c.get('call'), id)));
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    const header = c.req.header('If-Match') ?? null;
    const read = () => readBody(c, PERSON_CHANGE);
    const changed = await people.changePerson(c.get('call'), id, read, parseRevisionIfMatch(header));
    return respondPerson(c, orRefuse(explainIfMatch(changed, header, '"0123456789abcdef"')));
  });

  routes.post('/:id/mfa-reset', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondDone(c, await people.resetMfaOf(c.get('call'), id));
  });

  routes.get('/:id/sessions', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondResult(c, await people.listSessionsOf(c.get('call'), id), presentSessions);
  });

  routes.delete('/:id/sessions', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondDone(c, await people.endSessionOf(c.get('call'), id, null));
  });

  routes.delete('/:id/sessions/:sessionId', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    const sessionId = pathId<'session'>(c, SESSION_NOT_FOUND, 'sessionId');
    return respondDone(c, await people.endSessionOf(c.get('call'), id, sessionId));
  });

  routes.get('/:id/api-keys', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondResult(c, await people.listApiKeysOf(c.get('call'), id), presentApiKeys);
  });

  routes.delete('/:id/api-keys', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    return respondDone(c, await people.revokeApiKeyOf(c.get('call'), id, null));
  });

  routes.delete('/:id/api-keys/:keyId', authenticate, async (c) => {
    const id = pathId<'user'>(c, PERSON_NOT_FOUND);
    const keyId = pathId<'api-key'>(c, API_KEY_NOT_FOUND, 'keyId');
    return respondDone(c, await people.revokeApiKeyOf(c.get('call'), id, keyId));
  });

  return routes;
}

function respondPerson(c: HttpContext, person: Person, status = 200, headers: ExtraHeaders = {}): Response {
  return respondJson(c, status, presentPerson(person), { ETag: personTagOf(person), ...headers });
}
