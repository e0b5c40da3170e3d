import type { DeviceInventory } from './device-inventory.ts';

/** A message of an agent (Contract: §13). */
export type AgentMessage =
  /** The first message of an agent that does not know the protocol yet. */
  | { readonly kind: 'prolog'; readonly inventoryId: string }
  /** A request for tasks. */
  | {
      readonly kind: 'contact';
      readonly inventoryId: string;
      /** The agent's tasks in lower case. */
      readonly tasks: readonly string[];
    }
  | { readonly kind: 'inventory'; readonly inventory: DeviceInventory };

/** The only task that Fleetsift uses. */
export const INVENTORY_TASK = 'inventory';
