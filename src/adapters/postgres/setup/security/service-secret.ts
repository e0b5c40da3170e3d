/** Secrets that the service generates once per database and that only its owner can read. */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';

/** The secret with this name: 32 random bytes in base64url, generated at its first read. */
export async function readSecret(owner: Client, name: string): Promise<string> {
  await owner.query(
    'insert into service_secret (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, randomBytes(32).toString('base64url')],
  );
  const { rows } = await owner.query<{ value: string }>('select value from service_secret where name = $1', [
    name,
  ]);
  const [secret] = rows;
  if (secret === undefined) throw new Error(`the secret ${name} cannot be read back`);
  return secret.value;
}
