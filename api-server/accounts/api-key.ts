import { newSecret, secretHash } from './secret.ts'
import type { RandomBytes } from './secret.ts'

/** Their prefix lets people, and scanners of source code, see what they have found. */
export function newApiKey(randomBytes: RandomBytes): string {
  return `cff_${newSecret(randomBytes)}`
}

/** What is stored of a key. */
export function keyHash(key: string): Buffer {
  return secretHash(key)
}
