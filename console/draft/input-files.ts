import type { Upload } from '../uploads/upload.ts'
import type { Draft } from './draft.ts'

/** Gives inputs the URLs of uploads that have ended. @returns the same draft if none has */
export function withUploads(draft: Draft, uploads: readonly Pick<Upload, 'id' | 'state'>[]): Draft {
  const inputs = draft.inputs.map((input) => {
    const state = uploads.find(({ id }) => id === input.file?.upload)?.state.value
    if (state?.kind !== 'done' || input.file === null) return input
    const { storage_url: url, size_mbytes: mbytes } = state.file
    return { ...input, url: url ?? '', file: { ...input.file, mbytes, upload: null } }
  })
  return inputs.every((one, index) => one === draft.inputs[index]) ? draft : { ...draft, inputs }
}

/** Names of files that are uploaded now. */
export function uploadingNames({ inputs }: Draft): string[] {
  return inputs.flatMap(({ file }) => (file?.upload ? [file.name] : []))
}

/** MB of all inputs; null where a size is not known. */
export function inputMbytes({ inputs }: Draft): number | null {
  return inputs.reduce<number | null>((sum, { file }) => {
    const size = file?.mbytes ?? null
    return sum === null || size === null ? null : sum + size
  }, 0)
}

/** A change of size is worth words where both sizes are known. */
export function sizeChange(output: number | null, inputs: number | null): string | null {
  if (output === null || inputs === null || inputs === 0) return null
  const percent = Math.round((output / inputs - 1) * 100)
  if (percent === 0) return 'As large as the inputs'
  return percent < 0
    ? `${-percent} % smaller than the inputs`
    : `${percent} % larger than the inputs`
}
