/** Long answers: a tenant's readers take turns, piece by piece, and do not hold up another tenant. */
import { expect, test } from 'vitest';
import { makePiecesInTurn } from '#adapters/http/answer/piece-turns.ts';

const LONG = 'x'.repeat(70_000);

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Pieces that are made when the test says so, except the first, which is ready. */
function start() {
  const inTurn = makePiecesInTurn();
  const making: string[] = [];
  const finish = new Map<string, () => void>();
  async function* piecesOf(name: string, first: string): AsyncGenerator<string> {
    yield first;
    making.push(name);
    await new Promise<void>((resolve) => finish.set(name, resolve));
    yield `${name} is made`;
  }
  /** Asks for the second piece. */
  const read = async (tenant: string, caller: string, first = LONG) => {
    const pieces = inTurn({ tenant, caller }, piecesOf(caller, first));
    await pieces.next();
    return { pieces, second: pieces.next() };
  };
  return { making, finish, read };
}

test('readers of a tenant take turns, and one of another tenant does not wait for them', async () => {
  const { making, finish, read } = start();
  const first = await read('a', 'first');
  const second = await read('a', 'second');
  const other = await read('b', 'other');
  await settled();
  expect(making).toStrictEqual(['first', 'other']);
  finish.get('other')?.();
  expect(await other.second).toStrictEqual({ done: false, value: 'other is made' });
  await settled();
  expect(making).toStrictEqual(['first', 'other']);
  finish.get('first')?.();
  expect(await first.second).toStrictEqual({ done: false, value: 'first is made' });
  await settled();
  expect(making).toStrictEqual(['first', 'other', 'second']);
  finish.get('second')?.();
  expect(await second.second).toStrictEqual({ done: false, value: 'second is made' });
});

test('short answers wait for nobody', async () => {
  const { making, read } = start();
  for (const caller of ['one', 'two', 'three']) await read('a', caller, 'short');
  expect(making).toStrictEqual(['one', 'two', 'three']);
});

test('a piece that cannot be made passes its turn on, and so does a reader who leaves', async () => {
  const inTurn = makePiecesInTurn();
  let isClosed = false;
  async function* failing(): AsyncGenerator<string> {
    yield LONG;
    throw new Error('gone');
  }
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield LONG;
    } finally {
      isClosed = true;
    }
  }
  const claimant = { tenant: 'a', caller: 'same' };
  const broken = inTurn(claimant, failing());
  await broken.next();
  await expect(broken.next()).rejects.toThrow('gone');
  const left = inTurn(claimant, endless());
  await left.next();
  await left.next();
  await left.return(undefined);
  expect(isClosed).toBe(true);
  const next = inTurn(claimant, endless());
  await next.next();
  expect(await next.next()).toStrictEqual({ done: false, value: LONG });
});
