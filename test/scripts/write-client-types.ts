/** Writes the types of `fleetsift/client`, after routes or shapes have changed: node test/scripts/write-client-types.ts */
import { writeFileSync } from 'node:fs';
import { CLIENT_TYPES, clientTypes } from '#test/support/client-types.ts';

writeFileSync(CLIENT_TYPES, clientTypes());
