/** Reads that find nothing, which is when there is most to look through. */
import { randomUUID } from 'node:crypto';
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 24;

export const filterSearches: Attack = {
  name: 'filter-searches',
  title: '24 searches of the filter list',
  flood: ({ url, attackers: [credential] }, tally, signal) =>
    floodWith(url, CLIENTS, tally, signal, (_, round) => ({
      path: `/filters?search=nothing-${round}`,
      credential,
    })),
};

export const auditLogReads: Attack = {
  name: 'audit-log-reads',
  title: '24 reads of the audit log by an unknown actor',
  flood: ({ url, attackers: [credential] }, tally, signal) =>
    floodWith(url, CLIENTS, tally, signal, () => ({
      path: `/admin/audit-log?actorId=${randomUUID()}`,
      credential,
    })),
};
