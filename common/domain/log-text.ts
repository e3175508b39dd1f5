import type { StoredChunk } from '../store/logs.ts'

/** What was written by one step, in order; a gap says how much is missing. */
export function logText(chunks: readonly StoredChunk[]): string {
  let text = ''
  let cut = 0
  for (const chunk of chunks) {
    if (chunk.cutBytes === 0) text += gap(cut) + chunk.text
    cut = chunk.cutBytes === 0 ? 0 : cut + chunk.cutBytes
  }
  return text + gap(cut)
}

/** In order of the steps; a step that wrote nothing has no entry. */
export function chunksByStep(chunks: readonly StoredChunk[]): Map<number, StoredChunk[]> {
  return Map.groupBy(chunks, ({ step }) => step)
}

function gap(bytes: number): string {
  return bytes === 0 ? '' : `… ${bytes} bytes left out …\n`
}
