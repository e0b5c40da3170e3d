/**
 * Keeps a group of another system equal to a saved filter. It can be killed at any line: each call to the group says what
 * shall be so, and can be repeated, and the cursor is stored once the group has what came before it. With a cursor that is too
 * old, or none, the group is compared as a whole; that also happens once a day, in case somebody has changed the group by hand.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'fleetsift/client';

const { FLEETSIFT_URL = 'http://127.0.0.1:3000', FLEETSIFT_KEY = '', FILTER = '' } = process.env;
/** The group answers `GET /members` with ids, `PUT /members/:id` and `DELETE /members/:id`. */
const { GROUP_URL = '', STATE_FILE = 'sync-group.json' } = process.env;

const NAME = 'Group';
const COMPARE_EVERY_MS = 24 * 3_600_000;

interface State {
  readonly cursor: string;
  /** When the group was last compared as a whole. */
  readonly comparedAt: number;
}

const client = createClient({ baseUrl: FLEETSIFT_URL, apiKey: FLEETSIFT_KEY });
let state = await readState();
for (;;) {
  try {
    const id = await findSubscription();
    for (;;) {
      const isCurrent = state !== null && Date.now() - state.comparedAt < COMPARE_EVERY_MS;
      const next = isCurrent ? await follow(id, state as State) : await compare(id);
      if (next !== state) await saveState(next);
      state = next;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await setTimeout(1_000);
  }
}

/** Gives the group the members of the filter, and no others. */
async function compare(id: string): Promise<State> {
  const { data, error } = await client.GET('/api/v1/subscriptions/{id}/members', {
    ...{ params: { path: { id } }, parseAs: 'text' },
  });
  if (error) throw new Error(error.detail);
  const [head, ...lines] = data
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (lines.pop()?.end !== true) throw new Error('the members are cut off');
  const members = new Set<string>(lines.map((line) => line.id));
  const grouped = new Set((await (await callGroup('GET')).json()) as string[]);
  for (const device of members.difference(grouped)) await callGroup('PUT', device);
  for (const device of grouped.difference(members)) await callGroup('DELETE', device);
  console.log('compared', members.size);
  return { cursor: head.cursor, comparedAt: Date.now() };
}

/** Waits for changes, and gives them to the group. Null if the group has to be compared. */
async function follow(id: string, known: State): Promise<State | null> {
  const query = { cursor: known.cursor, limit: 1_000, wait: 30 };
  const { data, error } = await client.GET('/api/v1/subscriptions/{id}/changes', {
    params: { path: { id }, query },
  });
  // An invalid cursor is that of another filter: somebody has given us another one.
  if (error?.code === 'cursor_expired' || error?.code === 'invalid_cursor') return null;
  if (error) throw new Error(error.detail);
  if (data.data.length === 0) return known;
  // Only the last change of a device matters. While the filter is degraded, its members stay, and so do those of the group.
  const last = new Map(data.data.map(({ deviceId, type }) => [deviceId, type]));
  for (const [device, type] of last) {
    if (device !== undefined) await callGroup(type === 'entered' ? 'PUT' : 'DELETE', device);
  }
  return { ...known, cursor: data.cursor };
}

async function callGroup(method: 'GET' | 'PUT' | 'DELETE', device = ''): Promise<Response> {
  const response = await fetch(`${GROUP_URL}/members${device && `/${device}`}`, { method });
  if (!response.ok) throw new Error(`the group answered ${response.status}`);
  return response;
}

/** It may have been made by a run that was killed. */
async function findSubscription(): Promise<string> {
  const known = await client.GET('/api/v1/subscriptions', { params: { query: { filterId: FILTER } } });
  if (known.error) throw new Error(known.error.detail);
  const ours = known.data.data.find(({ name }) => name === NAME);
  if (ours !== undefined) return ours.id;
  const body = { filterId: FILTER, name: NAME, kind: 'feed' } as const;
  const { data, error } = await client.POST('/api/v1/subscriptions', { body });
  if (error) throw new Error(error.detail);
  return data.id;
}

async function readState(): Promise<State | null> {
  try {
    return JSON.parse(await readFile(STATE_FILE, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** The file is the old one or the new one, whenever the machine stops. */
async function saveState(next: State | null): Promise<void> {
  const path = `${STATE_FILE}.next`;
  const file = await open(path, 'w');
  await file.writeFile(JSON.stringify(next));
  await file.sync();
  await file.close();
  await rename(path, STATE_FILE);
}
