import type { ApiKeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { AccessScope } from './access-scope.ts';

/** An API key acts for the user who created it, never with more than that user's access. */
export type Credential =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      /** The user's current auth epoch. Tokens with an older epoch are refused. */
      readonly authEpoch: number;
      readonly isMfaEnrolled: boolean;
      /** When MFA was last verified in this session; null if never. */
      readonly mfaVerifiedAt: EpochMs | null;
    }
  | { readonly kind: 'api-key'; readonly apiKeyId: ApiKeyId };

/** The sender of a request: a user with a credential, a reach and permissions (Contract: §2). */
export interface Caller {
  readonly userId: UserId;
  readonly credential: Credential;
  readonly scope: AccessScope;
  readonly permissions: ReadonlySet<string>;
  readonly isPlatformAdmin: boolean;
}
