/** Reads one document of an agent: its first word in XML, or a message in JSON (Contract: §13). */
import { syntaxRefusalOf } from '#adapters/glpi/document/recognize-document.ts';
import { readInventoryValue } from '#adapters/glpi/read-inventory.ts';
import type { AgentMessage } from '#domain/inventory/agent-message.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { readContact } from './read-contact.ts';
import { readProlog } from './read-prolog.ts';

/** Every fault that was found, at least one, as `DocumentRefusal` has them. A leading byte order mark is skipped. */
export function readMessage(bytes: Uint8Array): Result<AgentMessage, readonly string[]> {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return err(['is not UTF-8 text']);
  }
  if (/^\s*</.test(text)) return readProlog(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return err([syntaxRefusalOf(text, error)]);
  }
  const isContact = typeof value === 'object' && value !== null && 'action' in value && value.action === 'contact';
  if (isContact) return readContact(value as object);
  const inventory = readInventoryValue(value, { isBrief: bytes.byteLength > LONG_BYTES });
  return inventory.ok ? ok({ kind: 'inventory', inventory: inventory.value }) : inventory;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Nobody has an inventory so long; to list every fault of one could take a hundred times its memory. */
const LONG_BYTES = 4 * 1_048_576;
