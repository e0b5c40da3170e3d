/**
 * The parts of the GLPI format that Fleetsift reads. Any part may be missing. "MB" has two meanings (see hardware.ts).
 */

/** Contract: §9, "Import". */
export const ITEM_TYPES = ['Computer', 'Phone', 'Printer', 'NetworkEquipment'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export interface InventoryDocument {
  readonly deviceid: string;
  readonly content: InventoryContent;
  readonly itemtype?: string;
  readonly action?: string;
  readonly partial?: boolean;
  readonly tag?: string;
}

export interface InventoryContent {
  readonly versionclient: string;
  readonly accesslog?: { readonly logdate: string };
  readonly bios?: Bios;
  readonly cpus?: readonly Cpu[];
  readonly drives?: readonly Drive[];
  readonly firmwares?: readonly Firmware[];
  readonly hardware?: Hardware;
  readonly memories?: readonly { readonly capacity?: number }[];
  readonly network_components?: readonly NetworkComponent[];
  readonly network_device?: NetworkDevice;
  readonly network_ports?: readonly NetworkPort[];
  readonly networks?: readonly Network[];
  readonly operatingsystem?: OperatingSystem;
  readonly softwares?: readonly { readonly name: string; readonly version?: string }[];
  readonly storages?: readonly Storage[];
  readonly users?: readonly { readonly login?: string; readonly domain?: string }[];
  readonly videos?: readonly { readonly name?: string; readonly chipset?: string }[];
}

export interface Bios {
  /** The prefix `s` means the system, `m` its main board. */
  readonly smanufacturer?: string;
  readonly smodel?: string;
  readonly ssn?: string;
  readonly mmanufacturer?: string;
  readonly mmodel?: string;
  readonly msn?: string;
  readonly enclosureserial?: string;
}

export interface Cpu {
  readonly arch?: string;
  readonly core?: number;
  readonly corecount?: number;
  readonly name?: string;
  readonly familyname?: string;
  readonly description?: string;
}

export interface Drive {
  readonly letter?: string;
  /** The mount point; on Windows the kind of drive. */
  readonly type?: string;
  readonly label?: string;
  readonly filesystem?: string;
  readonly free?: number;
  readonly serial?: string;
  readonly total?: number;
  readonly description?: string;
  /** The device, or `host:/path`; on Windows the label. */
  readonly volumn?: string;
}

export interface Firmware {
  readonly name?: string;
  readonly description?: string;
  readonly manufacturer?: string;
  readonly type?: string;
  readonly version?: string;
}

export interface Hardware {
  readonly name?: string;
  readonly chassis_type?: string;
  readonly lastloggeduser?: string;
  readonly memory?: number;
  readonly uuid?: string;
  /** `Physical`, or the name of the hypervisor. */
  readonly vmsystem?: string;
}

/** A part of a device, such as a chassis, module or fan of a switch. */
export interface NetworkComponent {
  readonly type?: string;
  readonly name?: string;
  readonly description?: string;
  readonly model?: string;
}

/** A device queried over the network, such as a printer or switch. */
export interface NetworkDevice {
  readonly type: string;
  readonly name?: string;
  readonly cpu?: number;
  readonly description?: string;
  /** Not in the schema; agents put the system description here if `description` contains something else. */
  readonly comments?: unknown;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serial?: string;
  readonly firmware?: string;
  readonly ips?: readonly string[];
  readonly mac?: string;
  readonly ram?: number;
  readonly memory?: number;
  readonly uptime?: string;
}

export interface NetworkPort {
  readonly ips?: readonly string[];
  readonly mac?: string;
}

export interface Network {
  readonly ipaddress?: string;
  readonly ipaddress6?: string;
  readonly mac?: string;
  readonly type?: string;
  readonly virtualdev?: boolean;
}

export interface OperatingSystem {
  readonly arch?: string;
  readonly boot_time?: string;
  readonly fqdn?: string;
  readonly full_name?: string;
  readonly kernel_name?: string;
  readonly kernel_version?: string;
  readonly name?: string;
  readonly service_pack?: string;
  readonly timezone?: { readonly offset: string };
  readonly version?: string;
}

export interface Storage {
  readonly description?: string;
  readonly disksize?: number;
  readonly interface?: string;
  readonly type?: string;
}
