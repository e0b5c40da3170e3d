import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { toList } from '#adapters/cli/terminal/format-text.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';

/**
 * Allows unknown words, because host products add permissions. Refuses a likely misspelling, which would permit
 * nothing.
 */
export function checkPermissions(list: string | undefined): readonly string[] {
  const permissions = toList(list);
  for (const permission of permissions) {
    const meant = nearestWord(permission, ADMINISTRATOR_PERMISSIONS);
    if (meant === null || meant === permission) continue;
    throw new CommandFailed(`--permissions: "${permission}" permits nothing; did you mean ${meant}?`);
  }
  return permissions;
}
