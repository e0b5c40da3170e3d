/** Who is asking (Contract: §2). */
import type { ApiKeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AccessScope } from './access-scope.ts';

/** An API key acts for the user who created it, never with more than that user's access. */
export type Credential =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      /** The epoch in which the session began, which equals the user's current one. */
      readonly authEpoch: number;
      /** Whether the user currently has a second factor. */
      readonly isMfaEnrolled: boolean;
      /** When that factor was last verified in this session; null if it was not. */
      readonly mfaVerifiedAt: EpochMs | null;
    }
  | { readonly kind: 'api-key'; readonly apiKeyId: ApiKeyId };

/** Who asks: a user, by which credential, with which reach and permissions (Contract: §2). */
export interface Caller {
  readonly userId: UserId;
  readonly credential: Credential;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
}
