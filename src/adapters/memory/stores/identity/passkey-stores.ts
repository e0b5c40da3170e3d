import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { PasskeyReader, PasskeyWriter } from '#application/ports/auth/stores/passkey-store.ts';
import { isCounterFresh, type Passkey } from '#domain/access/passkey.ts';
import type { UserId } from '#domain/ids.ts';

type Passkeys = Pick<World['passkeys'], 'values'>;

export function makePasskeyReader({ passkeys, users }: Pick<World, 'passkeys' | 'users'>): PasskeyReader {
  const isActive = (userId: UserId) => users.get(userId)?.status === 'active';
  return {
    async list(userId) {
      return isActive(userId) ? passkeysOf({ passkeys }, userId) : [];
    },
    async find(credentialId) {
      const found = passkeys.values().find((passkey) => passkey.credentialId === credentialId);
      return found !== undefined && isActive(found.userId) ? copyPasskey(found) : null;
    },
  };
}

export function makePasskeyWriter(tables: StagedTables): PasskeyWriter {
  const { passkeys, users } = tables;
  return {
    async hold(userId) {
      return users.get(userId)?.status === 'active' ? passkeysOf(tables, userId) : [];
    },
    async add(passkey) {
      if (users.get(passkey.userId)?.status !== 'active')
        throw new Error(`there is no active user ${passkey.userId}`);
      if (passkeys.values().some(({ credentialId }) => credentialId === passkey.credentialId)) return false;
      passkeys.set(passkey.id, copyPasskey(passkey));
      return true;
    },
    async use(id, { counter, isBackedUp, at }) {
      const passkey = passkeys.get(id);
      if (passkey === null || !isCounterFresh(passkey.counter, counter)) return false;
      passkeys.set(id, { ...passkey, counter, isBackedUp, lastUsedAt: at });
      return true;
    },
    async remove(userId, id) {
      const user = users.get(userId);
      const passkey = passkeys.get(id);
      if (user?.status !== 'active' || passkey?.userId !== userId) return null;
      passkeys.delete(id);
      if (user.totpSecret === null && passkeysOf(tables, userId).length === 0) {
        tables.recoveryCodes.delete(userId);
        users.set(userId, { ...user, mfaEpoch: user.mfaEpoch + 1 });
      }
      return { name: passkey.name };
    },
  };
}

export function passkeysOf(
  { passkeys }: { readonly passkeys: Passkeys },
  userId: UserId,
): readonly Passkey[] {
  return [...passkeys.values()]
    .filter((passkey) => passkey.userId === userId)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map(copyPasskey);
}

function copyPasskey(passkey: Passkey): Passkey {
  return { ...passkey, transports: [...passkey.transports] };
}
