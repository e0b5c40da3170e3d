/**
 * The messages that run prepared statements whose parameters are texts: Bind, Execute and Sync of PostgreSQL's extended
 * protocol, in one write. The driver would write four, and ask for a description of rows whose texts we take as they come.
 */

/** For the statement with this name and these values; rows come as texts. */
export function preparedMessage(name: string, values: readonly string[] = []): Uint8Array {
  const bind = message(
    'B',
    Buffer.concat([
      Buffer.from(`\0${name}\0\0\0`, 'latin1'),
      uint16(values.length),
      ...values.flatMap((value) => {
        const bytes = Buffer.from(value);
        return [uint32(bytes.byteLength), bytes];
      }),
      uint16(0),
    ]),
  );
  return Buffer.concat([bind, EXECUTE_AND_SYNC]);
}

/**
 * Several of these as one, with one Sync: the answers come together, each statement sees what is committed when it
 * begins and has its own time limit, and an error ends all that come after it.
 */
export function joinedMessages(messages: readonly Uint8Array[]): Uint8Array {
  const last = messages.length - 1;
  return Buffer.concat(
    messages.map((message, i) => (i === last ? message : message.subarray(0, -SYNC.byteLength))),
  );
}

/** A type, and the length of the rest with itself. */
function message(type: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), uint32(4 + body.byteLength), body]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const SYNC = message('S', Buffer.alloc(0));

/** The unnamed portal, which Bind has made, to its last row. */
const EXECUTE_AND_SYNC = Buffer.concat([message('E', Buffer.alloc(5)), SYNC]);
