import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { namedDevicesQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { messageOf } from '#console/parts/display/format.ts';
import { Combo } from '#console/parts/fields/combo.tsx';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';

export interface DevicePickerProps {
  readonly device: DeviceRow | null;
  readonly orgId: string | null;
  readonly onChange: (device: DeviceRow | null) => void;
  readonly label?: string;
  readonly excludedId?: string;
  readonly isInvalid?: boolean;
  readonly hasFocusAtFirst?: boolean;
}

const SEARCH_AFTER_MS = 200;

export function DevicePicker(props: DevicePickerProps) {
  const { device, orgId, onChange, label = words.filters.device, excludedId, ...look } = props;
  const [text, setText] = useState<string | null>(null);
  const { devices, emptyText } = useDevicesCalled(text, orgId);
  return (
    <Combo
      {...look}
      label={label}
      value={device?.id ?? null}
      valueText={device === null ? '' : nameOf(device)}
      items={devices
        .filter(({ id }) => id !== excludedId)
        .map((one) => ({
          id: one.id,
          label: nameOf(one),
          ...(one.displayName !== null && { detail: one.hostname }),
        }))}
      onType={setText}
      onChange={(id) => onChange(devices.find((one) => one.id === id) ?? null)}
      placeholder={label}
      emptyText={emptyText}
    />
  );
}

/** Until the answer comes, shows the devices of the previous answer that still match. */
function useDevicesCalled(text: string | null, orgId: string | null) {
  const api = useApi();
  const settled = useDebounced(text, SEARCH_AFTER_MS);
  const { data, error, isPlaceholderData } = useQuery(namedDevicesQuery(api, settled, orgId));
  const organizations = useOrganizations();
  const isAnswered = settled === text && data !== undefined && !isPlaceholderData;
  const wanted = (text ?? '').trim().toLowerCase();
  const isCalledSo = ({ displayName, hostname }: DeviceRow) =>
    `${displayName ?? ''}\n${hostname}`.toLowerCase().includes(wanted);
  return {
    devices: isAnswered ? data : (data ?? []).filter(isCalledSo),
    emptyText: isAnswered
      ? words.filters.noDevice((text ?? '').trim(), organizations.nameOf(orgId))
      : error === null || settled !== text
        ? words.filters.searching
        : messageOf(error),
  };
}
