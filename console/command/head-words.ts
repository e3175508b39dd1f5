import { megabytes } from '../parts/relative-time.ts'
import { shownState } from '../parts/state.ts'
import { outputNameOf } from './output-name.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** "42 %" while it runs, as far as it is known. */
export function percentWords({
  status,
  progress_percent: percent,
}: Pick<CommandStatusRecord, 'status' | 'progress_percent'>): string {
  return status === 'PROCESSING' && percent !== null ? `${Math.floor(percent)} %` : ''
}

/** Title of the tab: its percent while it runs, or its state, and the name of its first output. */
export function tabTitle(record: CommandStatusRecord | null): string {
  if (record === null) return 'Command'
  return `${percentWords(record) || shownState(record).word} · ${outputNameOf(record)}`
}

/** The number of outputs that are still stored, also in words, and what their deletion means. */
export function deletionOf({ output_files: outputs }: CommandStatusRecord) {
  const stored = Object.values(outputs ?? {}).filter((file) => !file.is_deleted)
  const size = stored.reduce((sum, file) => sum + (file.size_mbytes ?? 0), 0)
  const files = `${stored.length} ${stored.length === 1 ? 'output' : 'outputs'}`
  const urls = stored.length === 1 ? 'Its URL stops' : 'Their URLs stop'
  const text = `${files} of this command (${megabytes(size)}) will be deleted. ${urls} working. The record stays.`
  return { count: stored.length, files, text }
}
