/** Machines report names that would set the clipboard of an operator's terminal, or clear its screen. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attack } from '../attack.ts';
import { floodWith } from '../target/flood.ts';

const CLIENTS = 8;

const HOSTILE = 'pc\u001b]52;c;ZXZpbA==\u0007\u009d52;c;ZXZpbA==\u009c\u001b[2J\u202e';

/** How a command shows the first of them. */
const SHOWN = 'pc\\u001b]52';

/** Line breaks and tabs are the commands' own. */
const OBEYED = /(?![\n\t\r])[\p{Cc}\p{Bidi_Control}]/u;

function inventory(client: number): string {
  return JSON.stringify({
    action: 'inventory',
    deviceid: `${HOSTILE}-${client}`,
    itemtype: 'Computer',
    content: {
      versionclient: HOSTILE,
      hardware: { name: `${HOSTILE}-${client}`, uuid: 'c7b9a3c0-6a3f-4a6e-9d0e-0a1b2c3d4e5f' },
      softwares: [{ name: HOSTILE, version: HOSTILE }],
    },
  });
}

const REPORTS = Array.from({ length: CLIENTS }, (_, client) => inventory(client));

export const escapeSequences: Attack = {
  name: 'escapes',
  title: 'machines named by escape sequences, imported by an operator',
  needsEnrolmentKey: true,
  needsOperator: true,
  flood: async ({ url, enrolmentKey: credential }, tally, signal) => {
    if (credential === null) return;
    await floodWith(url, CLIENTS, tally, signal, (client) => ({
      base: '',
      path: '/inventory',
      credential,
      body: REPORTS[client] ?? '',
    }));
  },
  check: async ({ operator }) => {
    if (operator === null) return [];
    const directory = await mkdtemp(join(tmpdir(), 'fleetsift-escapes-'));
    try {
      const file = join(directory, 'machine.json');
      await writeFile(file, inventory(0));
      const printed = await operator.run(['import', '--org', operator.organization, file]);
      if (!printed.includes(SHOWN)) return ['the import shows no machine'];
      return OBEYED.test(printed) ? ['the import prints control characters'] : [];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};
