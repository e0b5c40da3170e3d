/** Links for people who are not signed in, under `/api/v1/auth` (Contract: §16). */
import { Hono } from 'hono';
import type { Admission } from '#adapters/http/admission/admit-requests.ts';
import { orRefuse } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondEmpty, respondJson, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { FindClientAddress } from '#adapters/http/read/client-address.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { MAX_PUBLIC_BODY_BYTES, readBody } from '#adapters/http/read/read-body.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { Invitation as FoundInvitation } from '#application/auth/links/invitations.ts';
import {
  ACCEPTANCE,
  FIRST_RUN_STATE,
  type FirstRun,
  INVITATION,
  type Invitation,
  RESET,
  RESET_REQUEST,
  TOKEN_BODY,
} from './link-shapes.ts';
import { visitors } from './sign-in-routes.ts';

export const LINK_OPERATIONS: Operations = operations('session', {
  'GET /api/v1/auth/first-run': {
    id: 'readFirstRun',
    summary: 'Whether nobody has an account yet',
    asker: 'visitor',
    answers: { 200: json('Whether the service is empty.', FIRST_RUN_STATE) },
  },
  'POST /api/v1/auth/invitation': {
    id: 'readInvitation',
    summary: 'Read an invitation',
    description: 'All members are null for the link that begins an empty service.',
    asker: 'visitor',
    body: body(TOKEN_BODY),
    answers: { 200: json('The invitation. Its link stays good.', INVITATION) },
    problems: ['link_invalid'],
  },
  'POST /api/v1/auth/invitation/accept': {
    id: 'acceptInvitation',
    summary: 'Accept an invitation, and set a password',
    description:
      'On an empty service it names the first partner and organization, and their platform administrator; then all members are needed.',
    asker: 'visitor',
    body: body(ACCEPTANCE),
    answers: { 204: empty('The person can sign in.') },
    problems: ['link_invalid', 'name_taken'],
  },
  'POST /api/v1/auth/password-reset': {
    id: 'requestPasswordReset',
    summary: 'Ask for a mail with a link for a new password',
    description:
      'The answer is the same for every email. People who are active and have a password get a mail: at most three an hour for an email, and ten for a network.',
    asker: 'visitor',
    body: body(RESET_REQUEST),
    answers: { 202: empty('If somebody has the email, a mail follows.') },
  },
  'POST /api/v1/auth/password-reset/confirm': {
    id: 'confirmPasswordReset',
    summary: 'Set a new password; all sessions end',
    asker: 'visitor',
    body: body(RESET),
    answers: { 204: empty('The password is changed.') },
    problems: ['invalid_mfa_code', 'link_invalid', 'mfa_required'],
  },
});

export interface LinkRoutesDeps {
  readonly auth: AuthUseCases;
  readonly findClientAddress: FindClientAddress;
  readonly admission: Admission;
  readonly ownOrigin: OwnOrigin;
}

export function linkRoutes(deps: LinkRoutesDeps): Hono<HttpEnv> {
  const { auth, ownOrigin } = deps;
  const { visitOf, admitVisitor } = visitors(deps);
  const routes = new Hono<HttpEnv>();

  routes.get('/first-run', admitVisitor, async (c) =>
    respondJson(c, 200, JSON.stringify({ open: await auth.isEmptyService() } satisfies FirstRun)),
  );

  routes.post('/invitation', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, TOKEN_BODY, MAX_PUBLIC_BODY_BYTES));
    return respondResult(c, await auth.readInvitation(body.token), presentInvitation);
  });

  routes.post('/invitation/accept', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, ACCEPTANCE, MAX_PUBLIC_BODY_BYTES));
    return respondDone(c, await auth.acceptInvitation(visitOf(c), body));
  });

  routes.post('/password-reset', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, RESET_REQUEST, MAX_PUBLIC_BODY_BYTES));
    orRefuse(await auth.requestPasswordReset(visitOf(c), body.email));
    return respondEmpty(c, 202, {});
  });

  routes.post('/password-reset/confirm', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, RESET, MAX_PUBLIC_BODY_BYTES));
    return respondDone(c, await auth.confirmPasswordReset(visitOf(c), ownOrigin.withPasskey(c, body)));
  });

  return routes;
}

function presentInvitation({ email, name, organization, partner }: FoundInvitation): string {
  return JSON.stringify({ email, name, organization, partner } satisfies Invitation);
}
