/** Migrations run the same SQL for ever: a database that was migrated long ago must be like one from today. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';

/** Of the statements of each, on an empty database. A migration that is released never gets another digest. */
const DIGESTS: Readonly<Record<string, string>> = {
  Migration20261120Fleet: '1313092c595a76bb',
  Migration20261121Mail: 'f6b96ea05eb0dbc2',
  Migration20261121Sessions: 'f5dd9c073db09ada',
  Migration20261121AccountDeletion: '33eb5c68d13b86c3',
  Migration20261121Search: '35950761b38c8b23',
  Migration20261121PendingLists: '2de170b7834f632f',
  Migration20261122AccountProtection: '357e3910f6262722',
  Migration20261122SlidingLimits: 'd46b1fcf5eb9f963',
  Migration20261122OwnNetworks: 'fe3d5b4826eb0ad5',
  Migration20261122SealingKeys: 'ae96cca1ee70f76d',
  Migration20261122OpenRequests: '608f481890bb7415',
  Migration20261122AuditMonths: '249ea853f22c9c31',
  Migration20261122NoStatistics: '84f8a6a02b3a51c9',
  Migration20261122CodesGuessed: 'f671b892723bca07',
  Migration20261122MailFiles: 'bf8df31b25107a16',
  Migration20261122FleetLists: 'e42931993dacc7f3',
  Migration20261122BrowserSessions: '0f93097729cc8cae',
  Migration20261122OwnPasswords: '8f6cce7cf9df3468',
  Migration20261122SimilarTitles: '32dde6d57ec2bb1f',
  Migration20261122OrganizationSoftware: 'e579efb2209a0c63',
  Migration20261122OperatorResets: '67f6ae2f7a2c3e3c',
  Migration20261122MachineIdentity: '207ec4854a50ed91',
  Migration20261122EnrolmentKeys: '470c9da02fe4d500',
  Migration20261122SearchBlocks: 'a6e6fd876057e35c',
  Migration20261122Patterns: '35b90ff1f9e443ec',
  Migration20261122InitialLoad: '8a3993bb20805cd5',
  Migration20261122Maintenance: '023fc156ebe975ce',
  Migration20261122DisplayNames: 'c8c369253fe43740',
  Migration20261122NarrowRows: 'ccca475478ca2556',
  Migration20261122BlocksInBulk: '9d0f73f539dd63bc',
  Migration20261122SearchWindows: '2376ddadc9634c12',
  Migration20261122FlagIndexes: 'c38594060168aa92',
  Migration20261122NamesInOrder: '4af5a709dfcc4d95',
  Migration20261122StatesOfOrganizations: 'f8670c23f274d89a',
  Migration20261122FirstBlocks: '4ddb6c74400280f5',
  Migration20261122ScriptsOfPartners: 'b4667c99702c3e3f',
  Migration20261122FewerKeys: '82dd649ff39a8755',
  Migration20261122ApartBlocks: '360762397ee5c7ab',
  Migration20261122BlockLists: '28c1258a6da29bd7',
  Migration20261123SearchJoints: '00218c84747ea799',
  Migration20261123LateBlocks: '097b700e587b6659',
  Migration20261123Versions: '16bf0be3f29849b7',
};

test.each(MIGRATIONS.map((Migration) => [Migration.name, Migration] as const))(
  '%s runs the statements that it was released with',
  async (name, Migration) => {
    const migration = new Migration(undefined as never, undefined as never);
    const statements: unknown[] = [];
    migration.addSql = (statement) => void statements.push(statement);
    // Asked for rows that were written before, it finds none.
    migration.execute = async (statement, values) => {
      statements.push(values === undefined ? statement : [statement, values]);
      return [] as never;
    };
    await migration.up();
    const digest = createHash('sha256').update(JSON.stringify(statements)).digest('hex');
    expect(digest.slice(0, 16)).toBe(DIGESTS[name]);
  },
);
