import { useQuery } from '@tanstack/react-query';
import { customFieldsQuery } from '#console/api/devices/custom-fields.ts';
import { organizationsQuery } from '#console/api/fleet/organizations.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import type { DevicePartProps } from '#console/pages/device/head/device-head.tsx';
import facts from '#console/pages/device/tabs/facts.module.css';
import { CustomField } from './custom-field.tsx';
import styles from './custom-fields.module.css';

/** The fields that the organization or its partner defines; whoever may changes each value in its place. */
export function CustomFields({ device, etag }: DevicePartProps) {
  const canChange = holds(useUser(), 'devices:write');
  const choicesOf = useChoices(device.orgId, canChange);
  if (device.custom.length === 0) return null;
  return (
    <section aria-labelledby="device-custom">
      <h2 id="device-custom" className={styles.title}>
        {words.devicePage.custom}
      </h2>
      <dl className={facts.facts}>
        {device.custom.map((field) => (
          <CustomField
            key={field.key}
            field={{ ...field, choices: choicesOf(field.key) }}
            deviceId={device.id}
            etag={etag}
            canChange={canChange}
          />
        ))}
      </dl>
    </section>
  );
}

/** What the dropdowns of an organization offer: its own definition of a key goes before its partner's. */
function useChoices(orgId: string, isWanted: boolean): (key: string) => readonly string[] {
  const api = useApi();
  const { data: definitions = [] } = useQuery({ ...customFieldsQuery(api), enabled: isWanted });
  const { data: organizations = [] } = useQuery({ ...organizationsQuery(api), enabled: isWanted });
  const partnerId = organizations.find(({ id }) => id === orgId)?.partnerId;
  return (key) => {
    const ofKey = definitions.filter((definition) => definition.key === key);
    const own = ofKey.find((definition) => definition.orgId === orgId);
    const ofPartner = ofKey.find(
      (definition) => partnerId !== undefined && definition.partnerId === partnerId,
    );
    return (own ?? ofPartner)?.choices ?? [];
  };
}
