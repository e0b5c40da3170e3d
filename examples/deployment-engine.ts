/**
 * Installs a program on every device of a saved filter, a few at a time, as devices enter the filter and leave it. What the engine
 * knows and the cursor of the feed are one file that is replaced as a whole. So it can be killed at any line, and a copy of
 * the file from yesterday catches up.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'fleetsift/client';

const { FLEETSIFT_URL = 'http://127.0.0.1:3000', FLEETSIFT_KEY = '', FILTER = '' } = process.env;
/** The system that installs; it is asked for one device at a time. */
const { INSTALLER_URL = '', STATE_FILE = 'deployment-engine.json' } = process.env;

const NAME = 'Deployment engine';
const AT_ONCE = 5;

interface State {
  /** Null: the members were not read yet. */
  cursor: string | null;
  /** Members on which the program is not installed. */
  waiting: string[];
  installed: string[];
  /** The filter cannot be evaluated at present. */
  isDegraded: boolean;
}

const client = createClient({ baseUrl: FLEETSIFT_URL, apiKey: FLEETSIFT_KEY });
const state = await readState();
for (;;) {
  try {
    const id = await findSubscription();
    for (;;) await step(id);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await setTimeout(1_000);
  }
}

async function step(id: string): Promise<void> {
  if (state.cursor === null) await readMembers(id);
  else await readChanges(id, state.cursor);
  // While nobody knows who belongs to the filter, no installation begins.
  if (state.isDegraded) return;
  const next = state.waiting.slice(0, AT_ONCE);
  if (next.length === 0) return;
  await Promise.all(next.map(install));
  state.waiting = state.waiting.slice(next.length);
  state.installed.push(...next);
  await saveState();
}

/** After a crash it is asked for again. The device is the key, so the installer does nothing the second time. */
async function install(device: string): Promise<void> {
  const { ok, status } = await fetch(`${INSTALLER_URL}/installations/${device}`, { method: 'PUT' });
  if (!ok) throw new Error(`the installer answered ${status}`);
  console.log('installed', device);
}

/** The members at this moment, and the cursor from which changes lead on. */
async function readMembers(id: string): Promise<void> {
  const path = { id };
  const { data, error } = await client.GET('/api/v1/subscriptions/{id}/members', {
    ...{ params: { path }, parseAs: 'text' },
  });
  if (error) throw new Error(error.detail);
  const [head, ...lines] = data
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (lines.pop()?.end !== true) throw new Error('the members are cut off');
  const installed = new Set(state.installed);
  state.waiting = lines.map((line) => line.id).filter((device) => !installed.has(device));
  state.isDegraded = false;
  state.cursor = head.cursor;
  await saveState();
  console.log('members', head.count);
}

/** Waits for a change, unless there is something to do. */
async function readChanges(id: string, cursor: string): Promise<void> {
  const isBusy = state.waiting.length > 0 && !state.isDegraded;
  const query = { cursor, limit: 1_000, wait: isBusy ? 0 : 30 };
  const { data, error } = await client.GET('/api/v1/subscriptions/{id}/changes', {
    params: { path: { id }, query },
  });
  // An invalid cursor is that of another filter: somebody has given us another one.
  if (error?.code === 'cursor_expired' || error?.code === 'invalid_cursor') {
    state.cursor = null;
    return;
  }
  if (error) throw new Error(error.detail);
  const [waiting, installed] = [new Set(state.waiting), new Set(state.installed)];
  for (const { type, deviceId = '' } of data.data) {
    if (type === 'degraded' || type === 'recovered') {
      state.isDegraded = type === 'degraded';
      console.log(type);
    } else if (type === 'left') waiting.delete(deviceId);
    else if (!installed.has(deviceId)) waiting.add(deviceId);
  }
  state.waiting = [...waiting];
  state.cursor = data.cursor;
  if (data.data.length > 0) await saveState();
}

/** The engine may have been killed after it subscribed. */
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

async function readState(): Promise<State> {
  try {
    return JSON.parse(await readFile(STATE_FILE, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { cursor: null, waiting: [], installed: [], isDegraded: false };
  }
}

/** The file is the old one or the new one, whenever the machine stops. */
async function saveState(): Promise<void> {
  const next = `${STATE_FILE}.next`;
  const file = await open(next, 'w');
  await file.writeFile(JSON.stringify(state));
  await file.sync();
  await file.close();
  await rename(next, STATE_FILE);
}
