/** `backup-role create`: makes the role that `pg_dump` works under (Contract: §15). */
import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { report } from '#adapters/cli/terminal/progress.ts';
import type { BackupRole } from '#application/ports/backup-role.ts';
import { databaseToolsOf } from './database-tools.ts';

export function backupRoleCommand(runtime: CliRuntime): Command {
  const create = new Command('create')
    .description('Make a role with which pg_dump backs up the whole database')
    .addHelpText(
      'after',
      '\nThe role reads everything, secrets and the data of every tenant included, and changes nothing. A role that\nwas made before gets what it lacks, and keeps its password. Where the owner of the database may not exempt\nit from row-level security, the SQL for a superuser goes to standard output.',
    )
    .action(() =>
      withService(runtime, async (service) => {
        const made = await databaseToolsOf(service).createBackupRole(randomBytes(24).toString('base64url'));
        const { role } = made;
        switch (made.kind) {
          case 'taken':
            throw new CommandFailed(
              `the server has a role "${role}" already, which Fleetsift did not make for this database; rename it, or drop it with: drop owned by "${role}"; drop role "${role}"`,
            );
          case 'not-allowed':
            process.stdout.write(made.statements.map((statement) => `${statement};\n`).join(''));
            throw new CommandFailed(
              `the role in DATABASE_URL may not exempt another one from row-level security, and nothing was changed; let a superuser run the SQL above in the database "${made.connection.database}", then back up with:\n${dumpLine(made)}`,
            );
          case 'ready':
            if (made.password === null) process.stdout.write(`the role ${role} is ready\n`);
            else {
              process.stdout.write(`created role ${role}\npassword: ${made.password}\n(shown only once)\n`);
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

/** What is granted does not belong in a backup: the start after a restore grants it to the roles of that server. */
function dumpLine({ role, connection: { host, port, database } }: BackupRole): string {
  return `  pg_dump --format=custom --no-owner --no-privileges --host=${quote(host)} --port=${port} --username=${quote(role)} --dbname=${quote(database)} --file=fleetsift.backup`;
}

/** As one word of a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
