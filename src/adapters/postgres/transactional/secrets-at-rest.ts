/** The box that secrets of this database are sealed in: with the key that was given, else with the database's own. */
import { UnusableDatabaseError } from '#adapters/postgres/setup/unusable-database-error.ts';
import type { SecretBox } from './signing-key-store.ts';

export interface SecretsAtRestDeps {
  readonly makeSecretBox: (key: string) => SecretBox;
  /** The key that the database keeps for its owner alone. */
  readonly keptKey: string;
  /** A key that is kept elsewhere; null where there is none. */
  readonly givenKey: string | null;
}

/** What was sealed before a key was given goes on to be opened, with the database's own. */
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
          // Sealed with another key, then.
        }
      }
      throw new UnusableDatabaseError(
        'The secrets in the database were sealed with another key. Set SECRET_KEY to the one that they were sealed with.',
      );
    },
  };
}
