import { Ajv2020 } from 'ajv/dist/2020.js'
import schema from '../../common/gateway/messages.schema.json' with { type: 'json' }
import type { Result } from '../../common/gateway/messages.ts'

/**
 * The result that `transfer` writes when the gateway is unreachable at the end. It has no logs,
 * because it has to fit 4,096 bytes.
 * @returns null for anything that is not a whole result, a truncated JSON text included
 */
export function resultFromTerminationMessage(message: string): Result | null {
  if (!message.startsWith('{')) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(message)
  } catch {
    return null
  }
  const result: unknown = { logs: [], ...(parsed as object) }
  return isResult(result) ? result : null
}

const isResult = new Ajv2020({ strict: false })
  .addSchema(schema)
  .compile<Result>({ $ref: 'gateway-messages#/$defs/Result' })
