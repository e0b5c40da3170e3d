/** Secrets are encrypted with the operator's key, or else with a key that is kept in the database. */
import { UnusableDatabaseError } from '#adapters/postgres/setup/explain-failure.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Where a sealed secret is stored. It opens only at the place for which it was sealed. */
export interface SecretPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

export interface SecretBox {
  readonly keyId: string;
  /** Every secret that is sealed with this key begins with the prefix. */
  readonly prefix: string;
  seal(secret: string, place: SecretPlace): string;
  /** Throws if the sealed secret was changed, or was sealed with another key or for another place. */
  open(sealed: string, place: SecretPlace): string;
}

export interface SecretsAtRest extends Pick<SecretBox, 'seal' | 'open'> {
  readonly current: SecretBox;
  readonly prefixes: readonly string[];
  tryOpen(sealed: string, place: SecretPlace): { readonly secret: string; readonly box: SecretBox } | null;
  /** Reseals a secret from a dump, which may come from another database. The error says why it cannot be read. */
  takeSealed(sealed: string, place: SecretPlace): Result<string, string>;
}

export interface SecretsAtRestDeps {
  readonly makeSecretBox: (key: string) => SecretBox;
  /** The key in the database, which only the owner can read. */
  readonly keptKey: string;
  readonly secretKey: string | null;
  readonly previousKey: string | null;
}

/** Secrets that were sealed before the operator set a key are opened with the key in the database. */
export function makeSecretsAtRest(deps: SecretsAtRestDeps): SecretsAtRest {
  const { makeSecretBox, keptKey, secretKey, previousKey } = deps;
  const current = makeSecretBox(secretKey ?? keptKey);
  const others = [previousKey, keptKey].filter((key) => key !== null).map(makeSecretBox);
  const tryOpen: SecretsAtRest['tryOpen'] = (sealed, place) => {
    for (const box of [current, ...others]) {
      try {
        return { secret: box.open(sealed, place), box };
      } catch {}
    }
    return null;
  };
  return {
    current,
    prefixes: [current, ...others].map(({ prefix }) => prefix),
    seal: (secret, place) => current.seal(secret, place),
    tryOpen,
    takeSealed: (sealed, place) => {
      const opened = tryOpen(sealed, place);
      if (opened === null) return err(explainUnreadable(sealed));
      return ok(opened.box === current ? sealed : current.seal(opened.secret, place));
    },
    open: (sealed, place) => {
      const opened = tryOpen(sealed, place);
      if (opened !== null) return opened.secret;
      throw new UnusableDatabaseError(
        `A secret in ${place.table} was sealed for another row, or with ${keyOf(sealed)} that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS of this instance; restart it with that key as one of them.`,
      );
    },
  };
}

function keyOf(sealed: string): string {
  const keyId = keyIdOf(sealed);
  return keyId === null ? 'a key' : `a key (its id is ${keyId})`;
}

/** Returns null for secrets of the first format, which names no key. */
export function keyIdOf(sealed: string): string | null {
  return /^v2\.([^.]+)\./.exec(sealed)?.[1] ?? null;
}

function explainUnreadable(sealed: string): string {
  return `was sealed for another row, or with ${keyOf(sealed)} that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS; set SECRET_KEY_PREVIOUS to the SECRET_KEY of the service that the dump is from`;
}
