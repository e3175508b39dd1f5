import { draftFrom, withFile } from '../draft.ts'
import { failureOf } from '../problems/failure.ts'
import { emptyWork } from './works.ts'
import type { CommandStatusRecord } from '../../../common/openapi/openapi-types.ts'
import type { Draft } from '../draft.ts'
import type { Work } from './works.ts'

/** After an edit by the user. An armed command must be started again: it is another one now. */
export function edited(work: Work, draft: Draft): Work {
  return { ...disarmed(work), draft }
}

export function disarmed(work: Work): Work {
  return work.phase === 'armed' ? { ...work, phase: 'editing' } : work
}

/** A request that is being sent is not taken back. */
export function cleared(work: Work): Work {
  return { ...emptyWork, phase: disarmed(work).phase }
}

/** The request of a command as the draft; null if the service has deleted it. */
export function opened(work: Work, record: CommandStatusRecord): Work | null {
  const { original_request: request } = record
  if (request === null) return null
  return noted({ ...edited(work, draftFrom(request)), runId: null }, record)
}

/** Keeps the place of FFmpeg's error, so that the editor marks it. */
export function noted(work: Work, record: CommandStatusRecord): Work {
  return { ...work, failure: failureOf(record) ?? work.failure }
}

/** A file of this computer as an input. One that is an input already stays where it is. */
export function taken({ draft }: Work, file: Pick<File, 'name' | 'size'>, upload: string): Draft {
  if (draft.inputs.some((input) => input.file?.upload === upload)) return draft
  const chosen = { name: file.name, mbytes: file.size / 1_048_576, upload }
  return withFile(draft, { url: '', file: chosen })
}

/** The output of a sample that has ended, as an input. @throws if it has failed */
export function withSample({ draft }: Work, record: CommandStatusRecord): Draft {
  const file = record.output_files?.['out_1']
  const url = file?.storage_url ?? null
  if (file === undefined || url === null) {
    throw new Error(record.error_message ?? 'The sample has failed.')
  }
  const chosen = { name: 'sample.mp4', mbytes: file.size_mbytes, upload: null }
  return withFile(draft, { url, file: chosen })
}
