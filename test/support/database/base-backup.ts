/** A base backup of an embedded server. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

/**
 * Copies the data directory of an embedded server to a new one, whose server starts as `signal` says. The package does
 * not contain `pg_basebackup`.
 */
export async function takeBaseBackup(
  url: string,
  from: string,
  to: string,
  signal: 'standby.signal' | 'recovery.signal',
): Promise<void> {
  await mkdir(to);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('test', fast => true)`);
    const cluster = join(to, 'postgres');
    await cp(join(from, 'postgres'), cluster, {
      recursive: true,
      // The new server gets the write-ahead log elsewhere, and the locks belong to the running server.
      filter: (path) => !/[/\\](pg_wal[/\\].*|postmaster\.(pid|opts))$/.test(path),
    });
    await cp(join(from, 'postgres.password'), join(to, 'postgres.password'));
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(cluster, signal), '');
  } finally {
    await client.end();
  }
}
