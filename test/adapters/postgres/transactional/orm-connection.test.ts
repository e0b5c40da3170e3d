/** Transactions give their connection back, whatever fails. */
import { expect, test, vi } from 'vitest';
import { TransactionDriver } from '#adapters/postgres/transactional/orm-connection.ts';

test('a transaction that cannot begin gives its connection back to be closed', async () => {
  const release = vi.fn();
  const lost = new Error('Connection terminated unexpectedly');
  const client = { query: () => Promise.reject(lost), release };
  const pool = { connect: async () => client, end: async () => {}, options: {}, Client: class {} };
  const driver = new TransactionDriver({ pool: pool as never });
  await driver.init();
  const connection = (await driver.acquireConnection()) as never;
  await expect(driver.beginTransaction(connection, {})).rejects.toBe(lost);
  expect(release.mock.calls).toStrictEqual([[true]]);
});
