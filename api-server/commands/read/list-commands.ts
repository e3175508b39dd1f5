import { endpoint } from '../../http/endpoint.ts'
import { refusal } from '../../http/errors.ts'
import { timestampOrNull } from '../../http/format.ts'
import { isPresigned } from '../../files/file-urls.ts'
import { createListPages, listAnswer } from '../../reads/list-pages.ts'
import { fileNameIn } from './file-name-in.ts'
import { pauseOf } from './pause-of.ts'
import { listItem } from './view.ts'
import type { ErrorStatus } from '../../../common/domain/failures.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { CommandStatus } from '../../../common/domain/states.ts'
import type { CommandListItem } from '../../../common/openapi/openapi-types.ts'
import type { Pause } from '../../../common/store/administration/pauses.ts'
import type { ExpandedCommand } from '../../../common/store/commands.ts'
import type { Store } from '../../../common/store/store.ts'
import type { FileUrls } from '../../files/file-urls.ts'
import type { PauseWatch } from '../../limits/pause-watch.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Answer } from '../../http/errors.ts'

interface Deps {
  readonly store: Pick<Store, 'listCommands' | 'filterCommands' | 'expandCommands' | 'findPreviews'>
  readonly fileUrls: FileUrls
  readonly pauses: Pick<PauseWatch, 'current'>
  readonly clock: Clock
}

/** `GET /v1/commands`: a bare array, newest first. */
export function listCommands({ store, fileUrls, pauses, clock }: Deps): Endpoint {
  const now = () => clock.wall().getTime()
  const pages = createListPages()
  return endpoint('listCommands', async ({ query }, { key }) => {
    const { accountId } = key.account
    if (query.before_id !== undefined && query.offset > 0) throw twoPlaces
    const filter = filterFrom({ ...query, created_after: beginOf(query, now()) })
    const { limit, offset } = query
    const wanted = namesIn(query.expand) ?? []
    if (filter === null) {
      const [status = null] = namesIn<CommandStatus>(query.status) ?? []
      const list = { accountId, limit, offset, status }
      const read = async () => (await store.listCommands(list)).map(listItem)
      if (wanted.length === 0) return pages(list, async () => listAnswer(await read()))
      return expanded(accountId, await read(), wanted)
    }
    const found = await store.filterCommands({ accountId, limit, offset, ...filter })
    return expanded(accountId, found.map(listItem), wanted)
  })

  async function expanded(
    accountId: string,
    items: readonly CommandListItem[],
    wanted: readonly string[],
  ): Promise<Answer> {
    if (wanted.length === 0) return { status: 200, body: items }
    const ids = items.map((item) => item.command_id)
    const [extra, previews] = await Promise.all([
      store.expandCommands(accountId, ids, wanted.includes('names')),
      wanted.includes('preview') ? store.findPreviews(accountId, ids) : [],
    ])
    const urlOf = await fileUrls(previews, null)
    const urls = new Map(previews.map((file) => [file.commandId, urlOf(file)]))
    const byId = new Map(extra.map((one) => [one.commandId, one]))
    const body = items.map((item) => {
      const command = byId.get(item.command_id)
      // Deleted by the retention between the two statements.
      if (command === undefined) return item
      const pause = pauseOf({ accountId, ...command }, pauses.current())
      const preview = wanted.includes('preview')
        ? { preview_url: urls.get(item.command_id) ?? null }
        : {}
      return { ...item, ...extraKeys(command, pause, wanted), ...preview }
    })
    const isSecret = previews.some((file) => isPresigned(file, null))
    return { status: 200, body, ...(isSecret ? { secret: true } : {}) }
  }
}

interface Query {
  readonly status?: string
  readonly error_status?: string
  readonly created_after?: string | undefined
  readonly created_before?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly search?: string
  readonly before_id?: string
}

/** @returns null for a list by at most one status, which has statements of its own for any offset */
function filterFrom(query: Query) {
  const { status, error_status, created_after, created_before, metadata, search, before_id } = query
  const others = [error_status, created_after, created_before, metadata, search, before_id]
  if (others.every((one) => one === undefined) && !(status ?? '').includes(',')) return null
  return {
    statuses: namesIn<CommandStatus>(status),
    errorStatuses: namesIn<ErrorStatus>(error_status),
    createdAfter: created_after ?? null,
    createdBefore: created_before ?? null,
    metadata: metadata ?? null,
    search: search ?? null,
    beforeId: before_id?.toLowerCase() ?? null,
  }
}

/** The schema has checked each name. */
function namesIn<Name extends string>(list: string | undefined): Name[] | null {
  return list === undefined ? null : (list.split(',') as Name[])
}

function extraKeys(
  command: ExpandedCommand,
  pause: Pause | null,
  wanted: readonly string[],
): Partial<CommandListItem> {
  return {
    ...(wanted.includes('progress')
      ? {
          processing_stage: command.stage,
          progress_percent: command.progressPercent,
          queue_position: command.queuePosition,
          queue_reason: pause === null ? command.queueReason : 'PAUSED',
          queue_message: pause?.why ?? null,
          started_at: timestampOrNull(command.startedAt),
          vcpu_count: command.vcpuCount,
        }
      : {}),
    ...(wanted.includes('request')
      ? { ffmpeg_command: command.commandText, steps_count: command.stepCount }
      : {}),
    ...(wanted.includes('names')
      ? {
          input_names: command.inputPaths?.map(fileNameIn) ?? null,
          output_names: command.outputNames,
        }
      : {}),
  }
}

const twoPlaces = refusal(422, [
  {
    loc: ['query', 'before_id'],
    msg: 'Input should be absent where offset is set: both name the place where the page begins',
    type: 'value_error',
  },
])

const mostDays = 31

/**
 * Metadata is in no index, so all commands of the span are read.
 * @throws Refusal 422 for a list by metadata of more days
 */
function beginOf(query: Query, nowMs: number): string | undefined {
  const { metadata, created_after: from, created_before: to } = query
  if (metadata === undefined) return from
  const earliest = (to === undefined ? nowMs : Date.parse(to)) - mostDays * 86_400_000
  if (from === undefined) return new Date(earliest).toISOString()
  if (Date.parse(from) < earliest) throw longSpan
  return from
}

const longSpan = refusal(422, [
  {
    loc: ['query', 'metadata'],
    msg: `A list by metadata should span at most ${mostDays} days: send a later created_after, or an earlier created_before`,
    type: 'value_error',
  },
])
