/** What an agent says when it calls (Contract: §13). */
import type { DeviceInventory } from './device-inventory.ts';

/** One message of an agent, whatever its format. */
export type AgentMessage =
  /** The first word of an agent that does not know yet which protocol is spoken here. */
  | { readonly kind: 'prolog'; readonly inventoryId: string }
  /** It asks what to do. */
  | {
      readonly kind: 'contact';
      readonly inventoryId: string;
      /** What it can do, as it calls it, in lower case. */
      readonly tasks: readonly string[];
    }
  | { readonly kind: 'inventory'; readonly inventory: DeviceInventory };

/** The one task of agents that anything here asks for. */
export const INVENTORY_TASK = 'inventory';
