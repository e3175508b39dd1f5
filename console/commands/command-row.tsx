import { age, duration, secondsBetween } from '../parts/relative-time.ts'
import { now } from '../parts/now.ts'
import { hasEnded, waitingWords } from '../parts/state.ts'
import { ProgressBar, StateChip } from '../parts/state-chip.tsx'
import { href } from '../shell/navigation.ts'
import { timeLeft } from '../shell/follow-progress.ts'
import { usage } from '../shell/service.ts'
import type { Signal } from '@preact/signals'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { Row } from './list-rows.ts'

interface Props {
  readonly row: Row
  readonly selected: Signal<ReadonlySet<string>>
}

export function CommandRow({ row, selected }: Props) {
  const item = row.value
  const id = item.command_id
  const isSelected = selected.value.has(id)
  const toggle = () => {
    const next = new Set(selected.value)
    if (!next.delete(id)) next.add(id)
    selected.value = next
  }
  return (
    <tr class={isSelected ? 'selected' : undefined} data-id={id}>
      <td class="pick">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select command ${id}`}
          onChange={toggle}
        />
      </td>
      <td class="state-cell">
        <StateChip of={item} />
        <ProgressBar of={item} label={`Progress of ${id}`} />
      </td>
      <td class="command-cell">
        <a class="mono clip" href={href({ page: 'command', id })} title={item.ffmpeg_command ?? id}>
          {textOf(item)}
        </a>
        <Why item={item} />
      </td>
      <td class="metadata-cell">
        <span class="clip" title={metadataOf(item)}>
          {metadataOf(item)}
        </span>
      </td>
      <td class="number">
        {item.vcpu_count}
        <span class="unit"> vCPU</span>
      </td>
      <td class="number" title={item.created_at}>
        <time dateTime={item.created_at}>{age(item.created_at, now.value)}</time>
        <span class="unit"> ago</span>
      </td>
      <td class="took number">{tookOf(item)}</td>
    </tr>
  )
}

function textOf({ ffmpeg_command, steps_count = 1, command_id }: CommandListItem) {
  const text = ffmpeg_command ?? `Command ${command_id}, whose request was deleted`
  return steps_count > 1 ? `${text}  (+ ${steps_count - 1} more)` : text
}

/** The second line: what it waits for, or how it failed. */
function Why({ item }: { readonly item: CommandListItem }) {
  if (item.status === 'QUEUED') {
    const { in_use: inUse = null, limit = null } = usage.value?.vcpu ?? {}
    const words = waitingWords(item.queue_reason ?? null, {
      ...{ vcpus: item.vcpu_count ?? null, inUse, limit },
    })
    return <p class="why">{words}</p>
  }
  if (item.status !== 'FAILED' || item.error_status === 'CANCELLED') return null
  const [line = ''] = (item.error_message ?? '').split('\n')
  return <p class="why clip bad">{line}</p>
}

function metadataOf({ metadata }: CommandListItem): string {
  const pairs = Object.entries(metadata ?? {}).map(([key, value]) => `${key} ${String(value)}`)
  return pairs.length === 0 ? '—' : pairs.join(', ')
}

function tookOf(item: CommandListItem): string {
  if (hasEnded(item) && item.finished_at !== null) {
    return duration(secondsBetween(item.started_at ?? item.created_at, item.finished_at))
  }
  return timeLeft(item.command_id) || '—'
}
