import { refusal } from '../http/errors.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'

const maxLength = 255

/**
 * @returns `null` if the request has no such header
 * @throws Refusal 422
 */
export function idempotencyKeyIn(headers: IncomingHttpHeaders): string | null {
  const sent = headers['idempotency-key']
  if (sent === undefined) return null
  const key = Array.isArray(sent) ? sent.join(', ') : sent
  if (key === '') throw invalidKey('Input should have at least 1 character', 'string_too_short')
  if (key.length > maxLength) {
    throw invalidKey(`Input should have at most ${maxLength} characters`, 'string_too_long')
  }
  if (!/^[\x20-\x7e]+$/.test(key)) {
    throw invalidKey('Input should be printable ASCII', 'string_pattern_mismatch')
  }
  return key
}

export function invalidKey(msg: string, type: ValidationMistake['type']) {
  return refusal(422, [{ loc: ['header', 'idempotency-key'], msg, type }])
}
