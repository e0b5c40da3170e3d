/**
 * Writes audit entries outside transactions in groups: entries that arrive during one write join the next. A thousand
 * previews a second take a few commits, and each entry is durable before its answer. Uses `pg` directly, because one
 * prepared statement takes a group of any size.
 */
import type { Pool } from 'pg';
import { auditInsert } from '#adapters/postgres/audit-insert.ts';
import { runAlone } from '#adapters/postgres/setup/connections/pooled-client.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

/** Rows per statement. */
const MAX_GROUP_SIZE = 500;

interface Waiting {
  readonly entry: AuditEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `pool` connects as the unprivileged role. */
export function makeAuditLog(pool: Pool): AuditLog {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP_SIZE);
      waiting = waiting.slice(MAX_GROUP_SIZE);
      try {
        await runAlone(pool, auditInsert(group.map(({ entry }) => entry)));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWriting = false;
  };

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
