/** Who was last signed in on a device of the demo. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import type { OrganizationProfile } from '#adapters/demo/tenants/organizations.ts';
import type { Person } from '#adapters/demo/tenants/person-names.ts';
import type { DeviceRole } from '#domain/device/device.ts';
import type { Machine } from './device-machine.ts';

/** In the form in which the system reports it: `DOMAIN\user` on Windows, the login name elsewhere. */
export function lastUser(
  role: DeviceRole,
  { osType, isKiosk }: Machine,
  { windowsDomain, mailDomain }: OrganizationProfile,
  { login, name }: Person,
  random: SeededRandom,
): string | null {
  if (random.chance(NOBODY_SHARE)) {
    return null;
  }
  if (isKiosk) {
    return `${windowsDomain}\\kiosk`;
  }
  switch (osType) {
    case 'windows':
      return role === 'server'
        ? `${windowsDomain}\\${random.pick(WINDOWS_SERVICE_ACCOUNTS)}`
        : random.pickWeighted([
            [`${windowsDomain}\\${login}`, 88],
            [`AzureAD\\${name.replaceAll(' ', '')}`, 8],
            ['.\\localadmin', 4],
          ]);
    case 'macos':
      return login;
    case 'linux':
      return role === 'server' ? random.pick(LINUX_SERVICE_ACCOUNTS) : login;
    case null:
      return role === 'phone' && random.chance(0.6) ? `${login}@${mailDomain}` : null;
  }
}

const NOBODY_SHARE = 0.05;
const WINDOWS_SERVICE_ACCOUNTS = ['Administrator', 'svc_backup', 'svc_sql', 'adm-itops', 'setup'];
const LINUX_SERVICE_ACCOUNTS = ['root', 'root', 'ubuntu', 'ansible', 'deploy'];
