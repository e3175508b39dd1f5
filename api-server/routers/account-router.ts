import { Router } from 'express'
import { deleteAccount } from '../accounts/delete-account.ts'
import { getUsage } from '../accounts/get-usage.ts'
import { getUsageHistory } from '../accounts/get-usage-history.ts'
import { createKey, listKeys, revokeKey } from '../accounts/key-calls.ts'
import { activateAccount } from '../accounts/registration/activate-account.ts'
import { registerAccount } from '../accounts/registration/register-account.ts'
import type { AppDeps } from './app-deps.ts'
import type { Calls } from '../middleware/call.ts'

/** Usage, keys, registration and deletion of accounts. */
export function accountRouter(
  { call, open, wrongMethod }: Calls,
  { effects, storage: { store }, limits: { plans, pauses }, accounts }: AppDeps,
): Router {
  const { registration, selfDeletion, selfServiceKeys, randomBytes } = accounts
  const router = Router()
  router
    .route('/v1/usage')
    .get(...call(getUsage({ store, plans, pauses })))
    .all(wrongMethod)
  router
    .route('/v1/usage/history')
    .get(...call(getUsageHistory({ store, clock: effects.clock })))
    .all(wrongMethod)
  router
    .route('/v1/keys')
    .get(...call(listKeys({ store })))
    .post(...call(createKey({ store, effects, randomBytes, selfServiceKeys })))
    .all(wrongMethod)
  router
    .route('/v1/keys/:key_id')
    .delete(...call(revokeKey({ store, effects })))
    .all(wrongMethod)
  if (selfDeletion) {
    router
      .route('/v1/account')
      .delete(...call(deleteAccount({ store, effects })))
      .all(wrongMethod)
  }
  if (registration !== null) {
    router
      .route('/v1/accounts')
      .post(...open(registerAccount({ store, effects, registration })))
      .all(wrongMethod)
    router
      .route('/v1/accounts/activate')
      .post(...open(activateAccount({ store, effects, registration })))
      .all(wrongMethod)
  }
  return router
}
