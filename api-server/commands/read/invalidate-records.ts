import type { Endpoint } from '../../http/endpoint.ts'
import type { CommandRecords } from './command-records.ts'

/** A call that changes what records of commands show: their files. */
export function forgetAfter(
  records: Pick<CommandRecords, 'forgetAccount'>,
  endpoint: Endpoint,
): Endpoint {
  return {
    ...endpoint,
    async answer(request, context) {
      try {
        return await endpoint.answer(request, context)
      } finally {
        // After an error too: it may have come behind the change.
        records.forgetAccount(context.key.account.accountId)
      }
    },
  }
}
