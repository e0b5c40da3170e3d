/** Reads the caller's profile (GET /auth/me; Contract: §2). */
import type { Call } from '#application/call.ts';
import type { SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import { type Profile, profileOfCaller } from './profile.ts';

/** Null if the user was erased or disabled after the request was authenticated. */
export type ReadProfile = (call: Call) => Promise<Profile | null>;

export function makeReadProfile({ signIns }: { readonly signIns: SignInStore }): ReadProfile {
  return async ({ caller }) => {
    const account = await signIns.findById(caller.userId);
    return account === null ? null : profileOfCaller(caller, account);
  };
}
