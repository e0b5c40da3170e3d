import { parentPort } from 'node:worker_threads';
import { readMessage } from './read-message.ts';

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(readMessage(bytes)));
