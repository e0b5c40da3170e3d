/** Encrypts the secrets of this database: with the operator's key if there is one, else with the database's own. */
import { UnusableDatabaseError } from '#adapters/postgres/setup/unusable-database-error.ts';
import type { SecretBox } from './signing-key-store.ts';

export interface SecretsAtRestDeps {
  readonly makeSecretBox: (key: string) => SecretBox;
  /** The key in the database, which only its owner can read. */
  readonly keptKey: string;
  /** The operator's key, which is kept outside the database; null if there is none. */
  readonly givenKey: string | null;
}

/** Secrets from before the operator had a key can still be opened, with the database's own. */
export function makeSecretsAtRest({ makeSecretBox, keptKey, givenKey }: SecretsAtRestDeps): SecretBox {
  const kept = makeSecretBox(keptKey);
  const boxes = givenKey === null ? [kept] : [makeSecretBox(givenKey), kept];
  return {
    seal: (secret) => (boxes[0] ?? kept).seal(secret),
    open: (sealed) => {
      for (const box of boxes) {
        try {
          return box.open(sealed);
        } catch {
          // Sealed with another key; the next box may have it.
        }
      }
      throw new UnusableDatabaseError(
        'The secrets in the database were sealed with another key. Set SECRET_KEY to the one that they were sealed with.',
      );
    },
  };
}
