/**
 * Reads the first message of an agent that does not know the protocol: `<REQUEST>` with the query `PROLOG`. Nothing
 * else is read from XML, and entities are never resolved.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { AgentMessage } from '#domain/inventory/agent-message.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { deviceIdFault } from './read-contact.ts';

/** UTF-16 code units; agents send some two hundred. */
const MAX_LENGTH = 16_384;

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  maxNestedTags: 10,
});

export function readProlog(text: string): Result<AgentMessage, readonly string[]> {
  if (text.length > MAX_LENGTH) return err([`is XML; ${ONLY_JSON}`]);
  if (/<!(?!--)/.test(text)) return err(['is XML with a document type or CDATA, which is never read']);
  const request = parseRequest(text);
  if (request === null) return err(['is not well-formed XML with one <REQUEST>']);
  const { QUERY: query, DEVICEID: inventoryId } = request;
  if (typeof query !== 'string') return err(['is XML without a <QUERY>']);
  if (query !== 'PROLOG') return err([`is XML with the query "${query.slice(0, 40)}"; ${ONLY_JSON}`]);
  const fault = deviceIdFault(inventoryId);
  return fault === null ? ok({ kind: 'prolog', inventoryId: inventoryId as string }) : err([fault]);
}

const ONLY_JSON = 'only PROLOG is read as XML, and inventories in JSON (GLPI Agent 1.0 and later)';

function parseRequest(text: string): Readonly<Record<string, unknown>> | null {
  try {
    if (XMLValidator.validate(text) !== true) return null;
    const { REQUEST: request } = parser.parse(text);
    return typeof request === 'object' && request !== null && !Array.isArray(request) ? request : null;
  } catch {
    return null;
  }
}
