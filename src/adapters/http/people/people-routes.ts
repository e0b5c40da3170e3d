/** People, under `/api/v1/users` (Contract: §16). */
import { Hono } from 'hono';
import { respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { personTagOf } from '#adapters/http/read/entity-tag.ts';
import type { FindPlace } from '#adapters/http/read/list-cursors.ts';
import { described, idOf, oneOf, optional, text } from '#adapters/http/read/query-parameters.ts';
import { AFTER, organization, pageSize, querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import { PERSON_NOT_FOUND } from '#application/application-error.ts';
import type { PeopleUseCases } from '#application/people/people-use-cases.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { PERSON_STATUSES, type PersonPlace } from '#domain/access/person.ts';
import { parseId } from '#domain/ids.ts';
import { PEOPLE_PAGE, PERSON } from './people-shapes.ts';
import { presentPeople, presentPerson } from './present-people.ts';

const PEOPLE_QUERY = querySchema({
  search: described(optional(text, ''), 'Only people whose name or email contains it, in any case.', 'moor'),
  orgId: organization("Only people of this organization, without its partner's staff."),
  partnerId: described(optional(idOf<'partner'>(), null), "Only this partner's own staff."),
  status: described(optional(oneOf(PERSON_STATUSES), null), 'Only people in this status.', 'active'),
  cursor: described(optional(text, null), AFTER),
  limit: pageSize,
});

export const PEOPLE_OPERATIONS: Operations = operations('people', {
  'GET /api/v1/users': {
    id: 'listUsers',
    summary: 'List the people in reach by name',
    permission: USERS_WRITE,
    query: PEOPLE_QUERY,
    answers: { 200: json('A page of people.', PEOPLE_PAGE) },
    problems: ['invalid_cursor', 'not_found'],
  },
  'GET /api/v1/users/:id': {
    id: 'readUser',
    summary: 'Read a person',
    permission: USERS_WRITE,
    answers: { 200: json('The person.', PERSON, ['ETag']) },
  },
});

export interface PeopleRoutesDeps {
  readonly people: PeopleUseCases;
  readonly findPlace: FindPlace;
  readonly authenticate: Authenticate;
}

export function peopleRoutes({ people, findPlace, authenticate }: PeopleRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, PEOPLE_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const place = findPlace<PersonPlace>(c.get('call'), 'people', query.value);
    if (!place.ok) return respondProblem(c, place.error);
    const { cursor: _, ...wanted } = query.value;
    const { after, print } = place.value;
    const found = await people.listPeople(c.get('call'), { ...wanted, after });
    return respondResult(c, found, (page) => presentPeople(page, print));
  });

  routes.get('/:id', authenticate, async (c) => {
    const id = parseId<'user'>(c.req.param('id'));
    if (id === null) return respondProblem(c, PERSON_NOT_FOUND);
    const found = await people.readPerson(c.get('call'), id);
    if (!found.ok) return respondProblem(c, found.error);
    return respondJson(c, 200, presentPerson(found.value), { ETag: personTagOf(found.value) });
  });

  return routes;
}
