/** Records the statements of the service's matcher, for the bare driver. */
import { Client } from 'pg';
import { makeDeviceMatcher } from '#adapters/postgres/reads/filters/device-matcher.ts';
import { openScopedReader, type ScopedReader } from '#adapters/postgres/reads/running/scoped-reader.ts';
import { connectionConfig } from '#adapters/postgres/setup/connections/connection-config.ts';
import { provisionDatabase } from '#adapters/postgres/setup/provision.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';

export interface RecordedMatcher {
  readonly matcher: DeviceMatcher;
  lastStatement(): string;
  /** A connection as the reader role, with the same settings. */
  readonly bare: Client;
  close(): Promise<void>;
}

export async function openRecordedMatcher(url: string, timeoutMs: number): Promise<RecordedMatcher> {
  const { roles } = await provisionDatabase({ url, migrate: true, secretNames: [] });
  const connection = connectionConfig(url, {
    as: roles.reader,
    applicationName: 'fleetsift bench',
    settings: { max_parallel_workers_per_gather: '0' },
  });
  const reader = openScopedReader({ connection, poolSize: 1, timeoutMs });
  let last = '';
  const recording: ScopedReader = {
    ...reader,
    read: (statement, options) => {
      last = statement.text;
      return reader.read(statement, options);
    },
    inSnapshot: (options, work) =>
      reader.inSnapshot(options, (session) =>
        work({
          ...session,
          query: (statement, isNamed) => {
            last = statement.text;
            return session.query(statement, isNamed);
          },
        }),
      ),
  };
  const bare = new Client(connection);
  await bare.connect();
  return {
    matcher: makeDeviceMatcher(recording, { plansWindows: true }),
    lastStatement: () => last,
    bare,
    close: async () => {
      await Promise.all([reader.close(), bare.end()]);
    },
  };
}
