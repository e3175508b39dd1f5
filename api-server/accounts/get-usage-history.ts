import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { timestamp } from '../http/format.ts'
import { spanOf, usageBuckets } from './usage-buckets.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'

interface Deps {
  readonly store: Pick<Store, 'readUsageHistory'>
  readonly clock: Clock
}

/** A month by hour has 744. */
const mostBuckets = 750

/** `GET /v1/usage/history`: figures by hour or day, which outlive the records of commands. */
export function getUsageHistory({ store, clock }: Deps): Endpoint {
  return endpoint('getUsageHistory', async ({ query }, { key: { account } }) => {
    const now = clock.wall().getTime()
    const span = spanOf(query, now)
    const buckets = (span.to - span.from) / span.step
    if (buckets <= 0) throw wrong('from must be before to')
    if (buckets > mostBuckets) {
      throw wrong(
        `the answer would have ${buckets} buckets, at most ${mostBuckets} are answered; ask for a shorter span or for bucket=day`,
      )
    }
    const [from, to] = [new Date(span.from), new Date(span.to)]
    const history = await store.readUsageHistory({ accountId: account.accountId, from, to })
    return {
      status: 200,
      body: {
        bucket: query.bucket,
        from: timestamp(from),
        to: timestamp(to),
        buckets: usageBuckets(span, history, now),
      },
    }
  })
}

function wrong(msg: string) {
  return refusal(422, [{ loc: ['query', 'from'], msg, type: 'value_error' }])
}
