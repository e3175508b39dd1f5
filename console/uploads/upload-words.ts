import { timeLeft } from '../../cli/client/upload/speed.ts'
import { reasonOf } from '../parts/notices.ts'
import { megabytes } from '../parts/relative-time.ts'
import type { Upload } from './upload.ts'

type Progress = Pick<Upload, 'state' | 'sentBytes' | 'sizeBytes' | 'speed'>

/** Whole percent, so that 100 % is the end. */
export function percentOf({ sentBytes, sizeBytes }: Progress): number {
  return Math.floor((sentBytes.value / Math.max(1, sizeBytes)) * 100)
}

/** How far an upload is, or what it waits for. */
export function uploadWords(upload: Progress): string {
  const state = upload.state.value
  const percent = percentOf(upload)
  switch (state.kind) {
    case 'waiting':
      return 'Waits for another upload'
    case 'paused':
      return `Paused at ${percent} %`
    case 'interrupted':
      return `${percent} % is stored. Drop this file again to go on, or discard it.`
    case 'failed':
      return reasonOf(state.problem)
    case 'done':
      return 'Uploaded'
    case 'sending': {
      const { retry } = state
      const isSent = upload.sentBytes.value >= upload.sizeBytes
      if (retry === null) return isSent ? 'The storage joins the parts' : speedWords(upload)
      const attempt = `attempt ${retry.failures + 1} of 5`
      return `${speedWords(upload)}. Part ${retry.part} did not arrive and is sent again (${attempt})`
    }
  }
}

function speedWords(upload: Progress): string {
  const { speed, sentBytes, sizeBytes } = upload
  const perSecond = speed.value
  return [
    `${percentOf(upload)} %`,
    perSecond === null ? null : `${megabytes(perSecond / 1_048_576)}/s`,
    timeLeft(sizeBytes - sentBytes.value, perSecond),
  ]
    .filter((one) => one !== null)
    .join(' · ')
}
