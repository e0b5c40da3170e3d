/** The service's matcher with its statements laid open, so that the very same SQL can be run on the bare driver. */

import { Client } from 'pg';
import { connectionConfig } from '#adapters/postgres/connection-config.ts';
import { makeDeviceMatcher } from '#adapters/postgres/device-matcher.ts';
import { type HotReader, openHotReader } from '#adapters/postgres/hot-reader.ts';
import { provisionDatabase } from '#adapters/postgres/provision.ts';
import type { DeviceMatcher } from '#application/ports/device-matcher.ts';

export interface RecordedMatcher {
  readonly matcher: DeviceMatcher;
  /** The statement that the matcher sent last. */
  lastStatement(): string;
  /** A connection of its own as the role that reads for previews, set as the reader's own are. */
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
  const reader = openHotReader({ connection, poolSize: 1, timeoutMs });
  let last = '';
  const recording: HotReader = {
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
    matcher: makeDeviceMatcher(recording),
    lastStatement: () => last,
    bare,
    close: async () => {
      await Promise.all([reader.close(), bare.end()]);
    },
  };
}
