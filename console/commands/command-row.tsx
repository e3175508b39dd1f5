import { exactTime } from '../parts/clock-time.ts'
import { age } from '../parts/relative-time.ts'
import { now } from '../parts/now.ts'
import { waitingWords } from '../parts/state.ts'
import { ProgressBar, StateChip } from '../parts/state-chip.tsx'
import { href } from '../shell/navigation.ts'
import { timeLeft } from '../shell/follow-progress.ts'
import { usage } from '../shell/service.ts'
import { fileWords } from '../../cli/existing/file-words.ts'
import { Picture } from '../preview/picture.tsx'
import { nameOf, pictureKind } from '../preview/preview-kind.ts'
import { commandText, failureLine, hasPicture, metadataWords, tookWords } from './row-words.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { PageList } from '../lists/page-list.ts'
import type { Selection } from '../lists/selection.ts'
import type { Row } from './list-rows.ts'

interface Props {
  readonly row: Row
  readonly list: PageList<Row>
  readonly selection: Selection
  /** Whether a row of the page has metadata. */
  readonly hasMetadata: boolean
}

export function CommandRow({ row, list, selection, hasMetadata }: Props) {
  const item = row.value
  const files = fileWords(item)
  const id = item.command_id
  const isSelected = selection.chosen.value.has(id)
  const metadata = metadataWords(item)
  const isPictured = hasPicture(item)
  const shown = () => list.items.peek().map((one) => one.peek().command_id)
  return (
    <tr class={isSelected ? 'selected' : undefined} data-id={id}>
      <td class="pick">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select command ${id}`}
          onClick={({ shiftKey }) => selection.pick(id, shown(), shiftKey)}
        />
      </td>
      <td class="state-cell">
        <StateChip of={item} />
        <ProgressBar of={item} label={`Progress of ${id}`} />
      </td>
      <td class={isPictured ? 'command-cell pictured' : 'command-cell'}>
        {isPictured && <RowPicture item={item} />}
        <a
          class={files === '' ? 'mono clip' : 'clip'}
          href={href({ page: 'commands', id })}
          title={item.ffmpeg_command ?? id}
        >
          {files || commandText(item)}
        </a>
        {files !== '' && <p class="mono clip muted">{commandText(item)}</p>}
        <Why item={item} />
      </td>
      {hasMetadata && (
        <td class="metadata-cell">
          <span class="clip" title={metadata}>
            {metadata}
          </span>
        </td>
      )}
      <td class="number vcpu-cell">
        {item.vcpu_count}
        <span class="unit"> vCPU</span>
      </td>
      <td class="number age-cell" title={exactTime(new Date(item.created_at))}>
        <time dateTime={item.created_at}>{age(item.created_at, now.value)}</time>
        <span class="unit"> ago</span>
      </td>
      <td class="took number">{tookWords(item, timeLeft(id))}</td>
    </tr>
  )
}

/** An empty tile stands for a picture that is expected, so that nothing moves once it is there. */
function RowPicture({ item }: { readonly item: CommandListItem }) {
  const url = item.preview_url ?? null
  const kind = pictureKind(nameOf({ storage_url: url }))
  return (
    <span class="row-picture" aria-hidden="true">
      {url === null || kind === null ? (
        <span class="thumbnail" />
      ) : (
        <Picture key={new URL(url).pathname} url={url} kind={kind} />
      )}
    </span>
  )
}

/** The second line: what it waits for, or how it failed. */
function Why({ item }: { readonly item: CommandListItem }) {
  if (item.status === 'QUEUED') {
    const { in_use: inUse = null, limit = null } = usage.value?.vcpu ?? {}
    const words = waitingWords(item.queue_reason ?? null, {
      vcpus: item.vcpu_count ?? null,
      inUse,
      limit,
      message: item.queue_message ?? null,
    })
    return <p class="why">{words}</p>
  }
  const line = failureLine(item)
  return line === null ? null : (
    <p class="why bad" title={item.error_message ?? undefined}>
      {line}
    </p>
  )
}
