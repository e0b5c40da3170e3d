/** Contract: §13. */
import { createMiddleware } from 'hono/factory';
import { type Admission, refuseClaim } from '#adapters/http/admission/admit-requests.ts';
import { respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { UNKNOWN_ENROLMENT_KEY } from '#application/inventory/answer-agent.ts';
import type { ReporterVerifier } from '#application/ports/auth/reporter-verifier.ts';
import type { OrgId } from '#domain/ids.ts';
import type { FindClientAddress } from './client-address.ts';

export interface AuthenticateReporterDeps {
  readonly reporters: ReporterVerifier;
  readonly findClientAddress: FindClientAddress;
  readonly admission: Admission;
}

export interface ReporterEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & {
    enrolmentKey: string;
    reporterOrgId: OrgId;
  };
}

/** Every answer from this middleware on has the agents' format, including 401 and 429. */
export function makeAuthenticateReporter({
  reporters,
  findClientAddress,
  admission,
}: AuthenticateReporterDeps) {
  return createMiddleware<ReporterEnv>(async (c, next) => {
    c.set('isAgent', true);
    const { headers, signal } = c.req.raw;
    const key = passwordOf(headers.get('authorization'));
    const reporter = await admission.identify(findClientAddress(c), signal, async () =>
      key === null ? null : reporters.recognize(key),
    );
    if (reporter !== null && 'refusal' in reporter) return refuseClaim(c, reporter.refusal);
    if (key === null || reporter === null)
      return respondProblem(c, UNKNOWN_ENROLMENT_KEY, REPORTER_CHALLENGE);
    c.set('enrolmentKey', key);
    c.set('reporterOrgId', reporter.orgId);
    return admission.admitReporter(c, reporter, next);
  });
}

export type AuthenticateReporter = ReturnType<typeof makeAuthenticateReporter>;

export const REPORTER_CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Fleetsift inventory"' };

/** Ignores the user name. */
function passwordOf(authorization: string | null): string | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [, password] = /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return password ?? null;
}
