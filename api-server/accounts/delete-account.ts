import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'beginAccountDeletion'>
  readonly effects: Effects
}

/**
 * `DELETE /v1/account`: answers once the deletion is recorded; the operator carries it out. Any key of the
 * account may ask for it, a suspended account too.
 */
export function deleteAccount({ store, effects }: Deps): Endpoint {
  return endpoint('deleteAccount', async ({ body }, { key }) => {
    const { accountId, name } = key.account
    if (body.confirm !== name) {
      const msg = `confirm must be the name of the account, '${name}'; got '${body.confirm}'`
      throw refusal(422, [{ loc: ['body', 'confirm'], msg, type: 'value_error' }])
    }
    await effects.failpoint('deletion.asked', () => store.beginAccountDeletion(accountId))
    return { status: 202, body: { account_id: accountId, status: 'DELETING' } }
  })
}
