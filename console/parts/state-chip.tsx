import { Icon } from '../controls/icons.tsx'
import { shownState } from './state.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly of: Pick<
    CommandListItem,
    'status' | 'error_status' | 'processing_stage' | 'progress_percent' | 'queue_position'
  >
}

/** State as word, shape and colour, with its percent or its place in the queue. */
export function StateChip({ of }: Props) {
  const { word, icon, tone } = shownState(of)
  return (
    <span class={`state ${tone}`}>
      <Icon name={icon} />
      <span class="word">{word}</span>
      {detailOf(of)}
    </span>
  )
}

function detailOf({ status, progress_percent = null, queue_position = null }: Props['of']) {
  if (status === 'QUEUED' && queue_position !== null) {
    const place = queue_position > 1_000 ? 'behind 1,000 others' : ordinal(queue_position)
    return <span class="muted">{place}</span>
  }
  if (status !== 'PROCESSING' || progress_percent === null) return null
  const percent = Math.floor(progress_percent)
  return <span class="number">{percent} %</span>
}

function ordinal(place: number): string {
  const tens = place % 100
  const name = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${place}${name}`
}

/** Only with a percent of the API: an invented one would fall. */
export function ProgressBar({ of, label }: Props & { readonly label: string }) {
  const { status, progress_percent: reported = null } = of
  if (status !== 'PROCESSING' || reported === null) return null
  const percent = Math.floor(reported)
  return <progress max="100" value={percent} aria-label={label} aria-valuetext={`${percent} %`} />
}
