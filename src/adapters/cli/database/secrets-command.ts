/** `secrets reseal` */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import { startProgress } from '#adapters/cli/terminal/progress.ts';

export function secretsCommand(runtime: CliRuntime): Command {
  const reseal = new Command('reseal')
    .description('Re-encrypt stored secrets with SECRET_KEY, including those sealed with SECRET_KEY_PREVIOUS')
    .addHelpText(
      'after',
      '\nFirst restart every instance with the new SECRET_KEY, and the former one as SECRET_KEY_PREVIOUS. The\nservice can keep running, and the command can be repeated at any time.\n\nIf a key is lost, stop the service and run this with --discard-unreadable. Users whose second factor was\nsealed with that key then sign in with the password alone until they enrol a new one.',
    )
    .option('--discard-unreadable', 'delete secrets that neither key can open (if a key is lost)')
    .action(async ({ discardUnreadable = false }: { readonly discardUnreadable?: boolean }) => {
      const command = discardUnreadable ? 'secrets reseal --discard-unreadable' : 'secrets reseal';
      const { resealed, unreadable } = await withService(
        runtime,
        async ({ resealSecrets }) => {
          const progress = await startProgress('resealing', 'secrets');
          const makeEntry = () => systemEntry(runtime, { action: 'secrets.resealed', command });
          const discarding = { discardsUnreadable: discardUnreadable };
          try {
            return await resealSecrets({ makeEntry, ...discarding, onProgress: progress.update });
          } finally {
            progress.stop();
          }
        },
        { allowsLostKeys: discardUnreadable },
      );
      print(
        resealed === 0
          ? 'no secrets to reseal'
          : `${resealed.toLocaleString('en')} ${resealed === 1 ? 'secret' : 'secrets'} resealed`,
      );
      if (discardUnreadable) {
        const secrets = unreadable === 1 ? 'secret' : 'secrets';
        print(`${unreadable.toLocaleString('en')} unreadable ${secrets} discarded`);
      } else if (unreadable > 0) {
        throw new CommandFailed(
          `${unreadable} secrets were sealed with another key and are unchanged; set SECRET_KEY_PREVIOUS to that key and run this again`,
        );
      }
    });
  return new Command('secrets').description('Manage encryption at rest').addCommand(reseal);
}
