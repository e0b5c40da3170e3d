import { useQuery } from '@tanstack/react-query';
import { customFieldsQuery } from '#console/api/devices.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import type { DevicePartProps } from '#console/pages/device/device-head.tsx';
import facts from '#console/pages/device/tabs/facts-tabs.module.css';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { CustomField } from './custom-field.tsx';

export function CustomFields({ device, etag }: DevicePartProps) {
  const canChange = holds(useUser(), 'devices:write');
  const { choicesOf, error, retry } = useChoices(
    device.orgId,
    canChange && device.custom.some(({ type }) => type === 'dropdown'),
  );
  return (
    <>
      <ErrorNotice error={error} onRetry={retry} />
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
    </>
  );
}

interface Choices {
  readonly choicesOf: (key: string) => readonly string[] | null;
  readonly error: unknown;
  readonly retry: () => void;
}

/** An organization's definition of a key overrides its partner's. */
function useChoices(orgId: string, isWanted: boolean): Choices {
  const api = useApi();
  const definitions = useQuery({ ...customFieldsQuery(api), enabled: isWanted });
  const organizations = useQuery({ ...organizationsQuery(api), enabled: isWanted });
  const partnerId = organizations.data?.find(({ id }) => id === orgId)?.partnerId;
  return {
    choicesOf: (key) => {
      if (definitions.data === undefined || organizations.data === undefined) return null;
      const ofKey = definitions.data.filter((definition) => definition.key === key);
      const own = ofKey.find((definition) => definition.orgId === orgId);
      const ofPartner = ofKey.find(
        (definition) => partnerId !== undefined && definition.partnerId === partnerId,
      );
      return (own ?? ofPartner)?.choices ?? [];
    },
    error:
      (definitions.data === undefined ? definitions.error : null) ??
      (organizations.data === undefined ? organizations.error : null),
    retry: () => {
      if (definitions.error !== null) void definitions.refetch();
      if (organizations.error !== null) void organizations.refetch();
    },
  };
}
