import type { Problem } from '#adapters/http/answer/problem-status.ts';
import type { AgentAnswer } from '#application/inventory/answer-agent.ts';
import type { AgentAnswerBody } from './inventory-shapes.ts';

/** Agents report only to a server whose name and version they know. */
const INVENTORY_SERVER = { server: 'glpi', version: '11.0.0' } as const;

export function presentAgentAnswer(answer: AgentAnswer, headers: Headers): string {
  switch (answer.kind) {
    case 'welcome':
      return JSON.stringify({
        // A welcome has no `expiration`, so the agent makes contact again in the same run.
        status: isGlpiAgent(headers) ? 'pending' : 'ok',
        // FusionInventory Agent logs the message and gives up.
        ...(/^FusionInventory-Agent/i.test(headers.get('user-agent') ?? '') && { message: ONLY_GLPI_AGENT }),
      } satisfies AgentAnswerBody);
    case 'tasks':
      return JSON.stringify({
        status: 'ok',
        // The protocol cannot request a full inventory, so a message in the agent's log asks for it.
        ...(answer.isNew && { message: 'This machine is not known yet: a full inventory is needed' }),
        expiration: `${answer.contactMinutes}m`,
        tasks: { inventory: INVENTORY_SERVER },
        disabled: answer.disabled,
      } satisfies AgentAnswerBody);
    case 'stored':
      return JSON.stringify({ status: 'ok' } satisfies AgentAnswerBody);
  }
}

/**
 * GLPI Agent 1.0 to 1.12 refuses an `ok` without an expiration (`Protocol/Contact.pm`) and retries forever. It
 * accepts `pending` (`HTTP/Client/OCS.pm`).
 */
function isGlpiAgent(headers: Headers): boolean {
  return headers.has('glpi-agent-id') && /^GLPI-Agent_v/i.test(headers.get('user-agent') ?? '');
}

const ONLY_GLPI_AGENT =
  'FusionInventory Agent cannot report here: install its successor, GLPI Agent 1.0 or later, with the same server and key';

export const NO_JOBS = '{}';

/** Agents log only the message, so it names every fault. */
export function presentAgentFault({ detail, errors }: Problem): string {
  const message = errors === undefined ? detail : errors.map((fault) => fault.message).join('; ');
  return JSON.stringify({ status: 'error', message });
}
