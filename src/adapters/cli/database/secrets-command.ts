/** `secrets reseal`: re-encrypts stored secrets with the current SECRET_KEY. */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { startProgress } from '#adapters/cli/terminal/progress.ts';

export function secretsCommand(runtime: CliRuntime): Command {
  const reseal = new Command('reseal')
    .description('Re-encrypt stored secrets with SECRET_KEY, including those sealed with SECRET_KEY_PREVIOUS')
    .addHelpText(
      'after',
      '\nThe service can keep running meanwhile, and the command can be repeated at any time. First restart\nevery instance with the new SECRET_KEY, and the former one as SECRET_KEY_PREVIOUS.',
    )
    .action(async () => {
      const { resealed, unreadable } = await withService(runtime, async ({ resealSecrets }) => {
        const progress = await startProgress('resealing', 'secrets');
        const entry = systemEntry(runtime, { action: 'secrets.resealed', command: 'secrets reseal' });
        try {
          return await resealSecrets({ entry, onProgress: progress.update });
        } finally {
          progress.stop();
        }
      });
      process.stdout.write(
        resealed === 0
          ? 'no secrets to reseal\n'
          : `${resealed.toLocaleString('en')} ${resealed === 1 ? 'secret' : 'secrets'} resealed\n`,
      );
      if (unreadable > 0) {
        throw new CommandFailed(
          `${unreadable} secrets were sealed with another key and stay as they are; set SECRET_KEY_PREVIOUS to that key and run this again`,
        );
      }
    });
  return new Command('secrets').description('Manage encryption at rest').addCommand(reseal);
}
