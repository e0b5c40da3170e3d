/**
 * 16 hexadecimal digits for entity tags: MurmurHash3 with two 32-bit lanes. Not cryptographic; collisions are as rare
 * as with 64 random bits.
 */
export function digestText(text: string): string {
  let left = 0x9747b28c;
  let right = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    left = rotate(Math.imul(left ^ unit, 0xcc9e2d51), 15);
    right = rotate(Math.imul(right ^ unit, 0x1b873593), 13);
  }
  left = finish(left ^ text.length ^ (right >>> 16));
  right = finish(right ^ text.length ^ (left >>> 16));
  return toHex(left) + toHex(right);
}

function rotate(lane: number, bits: number): number {
  return (lane << bits) | (lane >>> (32 - bits));
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function toHex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
