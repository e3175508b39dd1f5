import { createHash } from 'node:crypto'

/**
 * What is stored of a key. A fast hash is right here: keys are 32 random bytes, so there is nothing
 * to guess, and each request hashes one.
 */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
