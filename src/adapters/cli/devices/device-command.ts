import { Command } from 'commander';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { deviceSetCommand, deviceUndoCommand } from './device-set-command.ts';
import { deleteCommand, duplicatesCommand, mergeCommand } from './end-commands.ts';

export function deviceCommand(runtime: CliRuntime): Command {
  return new Command('device')
    .description('Change devices')
    .addCommand(deviceSetCommand(runtime))
    .addCommand(deviceUndoCommand(runtime))
    .addCommand(deleteCommand(runtime))
    .addCommand(mergeCommand(runtime))
    .addCommand(duplicatesCommand(runtime));
}
