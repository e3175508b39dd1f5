import { useSignal } from '@preact/signals'
import { useCallback } from 'preact/hooks'
import { Check } from '../controls/choices.tsx'
import { say } from '../parts/notices.ts'
import { usage } from '../shell/service.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import { UploadRow } from '../uploads/upload-row.tsx'
import { uploads } from '../uploads/uploads.ts'

/** Takes files by a drop anywhere on the page. */
export function UploadButton() {
  const isPrivate = useSignal(false)
  const { features, plan } = usage.value ?? {}
  const refusal = features?.uploads === false ? `Plan ${plan} has no uploads` : null
  const take = useCallback((files: readonly File[]) => {
    const into = uploads.peek()
    if (into === null) {
      say('The service has not answered yet. Drop the files again in a moment.', true)
      return
    }
    for (const file of files) into.add(file, isPrivate.peek())
  }, [])
  return (
    <>
      {refusal === null && features?.private !== false && (
        <Check isOn={isPrivate.value} set={(isOn) => (isPrivate.value = isOn)}>
          private
        </Check>
      )}
      <DropZone refusal={refusal} take={take} />
    </>
  )
}

/** Uploads that have not ended; those that have are among the files. */
export function UploadList() {
  const open = (uploads.value?.list.value ?? []).filter(({ state }) => state.value.kind !== 'done')
  if (open.length === 0) return null
  return (
    <section class="uploads-now column frame" aria-label="Uploads">
      {open.map((upload) => (
        <UploadRow key={upload.id} upload={upload} gone={() => undefined} />
      ))}
    </section>
  )
}
