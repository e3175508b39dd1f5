import { closedUrlsOf } from './closed-urls.ts'
import { operation } from './openapi.ts'
import { refusal } from './errors.ts'
import { validatorFor } from './validate.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { AddressRules } from '../../common/network/address-policy.ts'
import type { AuthenticatedKey } from '../../common/store/accounts.ts'
import type { Calls } from '../../common/openapi/openapi-types.ts'
import type { Answer } from './errors.ts'
import type { Operation, OperationId } from './openapi.ts'

/** One call of the API: its operation in openapi.json, and its handler `answer`. */
export interface Endpoint {
  readonly access: 'key'
  readonly operation: Operation
  /** @throws Refusal 422 if the request does not match the schema */
  answer(request: unknown, context: Context): Promise<Answer>
}

/** A call that needs no key, as `security: []` says in openapi.json. */
export interface OpenEndpoint {
  readonly access: 'open'
  readonly operation: Operation
  /** Runs before validation. @throws Refusal 429 */
  admit(context: OpenContext): Promise<void>
  /** @throws Refusal 422 if the request does not match the schema */
  answer(request: unknown, context: OpenContext): Promise<Answer>
}

/** The caller. */
export interface Context {
  readonly key: AuthenticatedKey
  /** Whether the key is still valid and its account not suspended; for answers that take long. */
  readonly isStillValid: () => Promise<boolean>
  readonly log: Logger
  /** Id for the record that the request creates. A retry under the same Idempotency-Key gets the same id. */
  readonly newId: () => string
  /** Fields for the request's own line in the log. */
  readonly fields: Record<string, string>
  /** Probable mistakes of the client; each becomes a `Warning` header. Endpoints add their own. */
  readonly warnings: string[]
  /** Query parameters that the call does not have; also those of a refused request. */
  readonly ignores: (names: readonly string[]) => void
  /** Which addresses URLs of customers may name. */
  readonly addressRules: AddressRules
}

export interface OpenContext extends Omit<Context, 'key' | 'isStillValid'> {
  /** Address of the client, or of the last untrusted proxy in front. */
  readonly clientAddress: string
}

export function endpoint<Id extends OperationId>(
  operationId: Id,
  handle: (call: Calls[Id], context: Context) => Promise<Answer>,
): Endpoint {
  const described = operation(operationId)
  if (described.open) throw new Error(`${operationId} needs no key in openapi.json`)
  return { access: 'key', operation: described, answer: answering(described, handle) }
}

export function openEndpoint<Id extends OperationId>(
  operationId: Id,
  admit: OpenEndpoint['admit'],
  handle: (call: Calls[Id], context: OpenContext) => Promise<Answer>,
): OpenEndpoint {
  const described = operation(operationId)
  if (!described.open) throw new Error(`${operationId} needs a key in openapi.json`)
  return { access: 'open', operation: described, admit, answer: answering(described, handle) }
}

function answering<Call, Asking extends OpenContext | Context>(
  { schema }: Operation,
  handle: (call: Call, context: Asking) => Promise<Answer>,
) {
  const check = validatorFor<Call>(schema)
  const closedIn = closedUrlsOf(schema)
  return (request: unknown, context: Asking): Promise<Answer> => {
    const checked = check(request)
    context.ignores(checked.ignoredParameters)
    if (!checked.ok) throw refusal(422, checked.mistakes)
    const closed = closedIn(checked.value, context.addressRules)
    if (closed.length > 0) throw refusal(422, closed)
    context.warnings.push(...checked.warnings)
    return handle(checked.value, context)
  }
}
