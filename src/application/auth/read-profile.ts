/** Says who the caller is (Contract: §2, GET /auth/me). */
import type { Call } from '#application/call.ts';
import type { SignInStore } from '#application/ports/auth/sign-in-store.ts';
import { type Profile, profileOfCaller } from './profile.ts';

/** null where the user has gone since the credential was looked at. */
export type ReadProfile = (call: Call) => Promise<Profile | null>;

export function makeReadProfile({ signIns }: { readonly signIns: SignInStore }): ReadProfile {
  return async ({ caller }) => {
    const account = await signIns.findById(caller.userId);
    return account === null ? null : profileOfCaller(caller, account);
  };
}
