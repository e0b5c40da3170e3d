import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { Facts } from './facts.tsx';

const { fact: labels, fromAgent: hint } = words.devicePage;

/** Mebibytes of a gibibyte. */
const MB_OF_GB = 1024;

export function HardwareTab({ device: { hardware } }: { readonly device: Device }) {
  if (hardware === null) return <p className="soft">{words.devicePage.noHardware}</p>;
  const { cpuCores, ramTotalMb, diskTotalGb } = hardware;
  const ram = ramTotalMb === null ? null : Math.round((ramTotalMb / MB_OF_GB) * 10) / 10;
  const sizeText = words.devicePage.gibibytes;
  return (
    <Facts
      facts={[
        { label: labels.manufacturer, value: hardware.manufacturer, hint },
        { label: labels.model, value: hardware.model, hint },
        { label: labels.serialNumber, value: hardware.serialNumber, hint },
        { label: labels.cpuModel, value: hardware.cpuModel, hint },
        { label: labels.cpuCores, value: cpuCores === null ? null : words.devicePage.cores(cpuCores), hint },
        { label: labels.ramTotal, value: ram === null ? null : sizeText(ram), hint },
        { label: labels.diskTotal, value: diskTotalGb === null ? null : sizeText(diskTotalGb), hint },
        { label: labels.gpuModel, value: hardware.gpuModel, hint },
      ]}
    />
  );
}
