/** Signing keys in a list. One process shares them with no other; they are lost when it ends. */
import type { SigningKey, SigningKeyStore } from '#application/ports/auth/stores/signing-key-store.ts';

export function makeSigningKeyStore(): SigningKeyStore {
  let keys: readonly SigningKey[] = [];
  return {
    async list() {
      return keys;
    },
    async add(key, unlessSince) {
      if (keys.some(({ createdAt }) => createdAt >= unlessSince)) return false;
      const added = Object.freeze({ ...key, privateJwk: Object.freeze({ ...key.privateJwk }) });
      keys = Object.freeze([added, ...keys].sort((a, b) => b.createdAt - a.createdAt));
      return true;
    },
    async removeCreatedBefore(instant) {
      keys = Object.freeze(keys.filter(({ createdAt }) => createdAt >= instant));
    },
  };
}
