import { Router } from 'express'
import { listDeliveries } from '../webhooks/list-deliveries.ts'
import { getDelivery, redeliver } from '../webhooks/one-delivery.ts'
import { deleteWebhook, getWebhook, putWebhook, testWebhook } from '../webhooks/webhook-calls.ts'
import type { AppDeps } from './app-deps.ts'
import type { Calls } from '../middleware/call.ts'

/** The webhook of an account and its deliveries. */
export function webhookRouter(
  { call, wrongMethod }: Calls,
  { effects, storage: { store }, limits: { plans }, webhooks }: AppDeps,
): Router {
  const { postWebhook, sendNow, userAgent } = webhooks
  const router = Router()
  router
    .route('/v1/webhook')
    .get(...call(getWebhook({ store })))
    .put(...call(putWebhook({ store, plans, effects })))
    .delete(...call(deleteWebhook({ store, effects })))
    .all(wrongMethod)
  router
    .route('/v1/webhook/test')
    .post(...call(testWebhook({ store, plans, effects, postWebhook, userAgent })))
    .all(wrongMethod)
  router
    .route('/v1/webhook/deliveries')
    .get(...call(listDeliveries({ store })))
    .all(wrongMethod)
  router
    .route('/v1/webhook/deliveries/:webhook_id')
    .get(...call(getDelivery({ store })))
    .all(wrongMethod)
  router
    .route('/v1/webhook/deliveries/:webhook_id/redeliver')
    .post(...call(redeliver({ store, plans, effects, sendNow })))
    .all(wrongMethod)
  return router
}
