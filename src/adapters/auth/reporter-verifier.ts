/** Contract: §13. */
import type { ReporterVerifier } from '#application/ports/auth/reporter-verifier.ts';
import type { FindEnrolmentKey } from '#application/ports/auth/stores/enrolment-key-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import { ENROLMENT_KEY_FORMAT, type EnrolmentKey, isInForce } from '#domain/access/enrolment-key.ts';
import { digestSecret } from './secret-generator.ts';
import { makeSingleFlightCache, readMonotonicMs } from './single-flight-cache.ts';

export interface ReporterVerifierDeps {
  readonly findEnrolmentKey: FindEnrolmentKey;
  readonly clock: Clock;
}

const MAX_AGE_MS = 500;

const MAX_CACHED = 10_000;

export function makeReporterVerifier({ findEnrolmentKey, clock }: ReporterVerifierDeps): ReporterVerifier {
  const findRecent = makeSingleFlightCache({
    read: (keySha256: string) => findEnrolmentKey(keySha256),
    monotonicMs: readMonotonicMs,
    maxFound: MAX_CACHED,
    maxAbsent: MAX_CACHED,
  });
  const verify = async (key: string, find: FindEnrolmentKey): Promise<EnrolmentKey | null> => {
    if (!ENROLMENT_KEY_FORMAT.test(key)) return null;
    const found = await find(digestSecret(key));
    return found !== null && isInForce(found, clock()) ? found : null;
  };
  return {
    recognize: (key) => verify(key, (digest) => findRecent(digest, readMonotonicMs() - MAX_AGE_MS)),
    confirm: (key) => verify(key, findEnrolmentKey),
  };
}
