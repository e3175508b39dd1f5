import { operation } from './openapi.ts'
import { refusal } from './errors.ts'
import { validatorFor } from './validate.ts'
import type { Logger } from '../../common/logger.ts'
import type { AuthenticatedKey } from '../../common/store/accounts.ts'
import type { Calls } from '../openapi-types.ts'
import type { Answer } from './errors.ts'
import type { Operation, OperationId } from './openapi.ts'

/** One call of the API: openapi.json says how it is called, `answer` what happens then. */
export interface Endpoint {
  readonly operation: Operation
  /** @throws Refusal 422 where the request does not fit the schema */
  answer(request: unknown, context: Context): Promise<Answer>
}

/** Who asks. */
export interface Context {
  readonly key: AuthenticatedKey
  readonly log: Logger
  /** Id for the one thing that the request makes. A request that is repeated under its key gets the same one. */
  readonly newId: () => string
  /** Fields for the request's own line in the log. */
  readonly fields: Record<string, string>
}

export function endpoint<Id extends OperationId>(
  operationId: Id,
  handle: (call: Calls[Id], context: Context) => Promise<Answer>,
): Endpoint {
  const described = operation(operationId)
  const check = validatorFor<Calls[Id]>(described.schema)
  return {
    operation: described,
    answer(request, context) {
      const checked = check(request)
      if (!checked.ok) throw refusal(422, checked.mistakes)
      return handle(checked.value, context)
    },
  }
}
