import { endpoint } from '../../http/endpoint.ts'
import { notFound } from '../../http/errors.ts'
import { timelineRecord } from './timeline.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Store } from '../../../common/store/store.ts'

/** `GET /v1/commands/{command_id}/timeline` */
export function getCommandTimeline({ store }: { store: Pick<Store, 'findTimeline'> }): Endpoint {
  return endpoint('getCommandTimeline', async ({ path }, { key, fields }) => {
    const commandId = path.command_id.toLowerCase()
    fields['command_id'] = commandId
    const recorded = await store.findTimeline(key.account.accountId, commandId)
    if (recorded === null) throw notFound('Command', commandId)
    return { status: 200, body: timelineRecord(recorded) }
  })
}
