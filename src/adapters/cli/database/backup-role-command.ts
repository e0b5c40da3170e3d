/** `backup-role create` (Contract: §15). */
import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { databaseToolsOf, withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import type { BackupRole } from '#application/ports/backup-role.ts';

export function backupRoleCommand(runtime: CliRuntime): Command {
  const create = new Command('create')
    .description('Create a role with which pg_dump can back up the whole database')
    .addHelpText(
      'after',
      '\nThe role can read everything, including secrets and the data of every tenant, but change nothing. An existing\nrole gets missing grants and keeps its password. If the owner of the database may not exempt the role from\nrow-level security, the command prints the SQL for a superuser.',
    )
    .action(() =>
      withService(runtime, async (service) => {
        const made = await databaseToolsOf(service).createBackupRole(randomBytes(24).toString('base64url'));
        const { role } = made;
        switch (made.kind) {
          case 'taken':
            throw new CommandFailed(
              `the server already has a role "${role}", which Fleetsift did not create for this database; rename it, or drop it with: drop owned by "${role}"; drop role "${role}"`,
            );
          case 'not-allowed':
            print(made.statements.map((statement) => `${statement};`).join('\n'));
            throw new CommandFailed(
              `the role in DATABASE_URL may not exempt another role from row-level security, and nothing was changed; let a superuser run the SQL above in the database "${made.connection.database}", then back up with:\n${dumpLine(made)}`,
            );
          case 'ready':
            if (made.password === null) print(`the role ${role} is ready`);
            else {
              print(`created role ${role}\npassword: ${made.password}\n(shown only once)`);
              await service.backend.auditLog(
                systemEntry(runtime, { action: 'backup_role.created', command: 'backup-role create' }),
              );
            }
            report(`back up with:\n${dumpLine(made)}`);
        }
      }),
    );
  return new Command('backup-role').description('Manage the role for backups').addCommand(create);
}

/** Leaves out privileges: the first start after a restore grants them to the new server's roles. */
function dumpLine({ role, connection: { host, port, database } }: BackupRole): string {
  return `  pg_dump --format=custom --no-owner --no-privileges --host=${quote(host)} --port=${port} --username=${quote(role)} --dbname=${quote(database)} --file=fleetsift.backup`;
}

/** Quotes the text as one word of a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
