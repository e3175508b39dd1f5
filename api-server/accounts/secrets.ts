import { createHash } from 'node:crypto'

/** From the operating system's generator; `main.ts` passes it in. */
export type RandomBytes = (size: number) => Uint8Array

/** 32 random bytes in base64url: 43 characters that survive a URL and a double click. */
export function newSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(32)).toString('base64url')
}

/**
 * What is stored of a secret. A fast hash is right here: there is nothing to guess in 32 random
 * bytes, and each request hashes one.
 */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Their prefix lets people, and scanners of source code, see what they have found. */
export function newApiKey(randomBytes: RandomBytes): string {
  return `cff_${newSecret(randomBytes)}`
}

/** What is stored of a key. */
export function keyHash(key: string): Buffer {
  return secretHash(key)
}
