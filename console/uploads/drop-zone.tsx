import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '../controls/icons.tsx'

interface Props {
  /** Why files cannot be uploaded; null where they can. */
  readonly refusal: string | null
  readonly take: (files: readonly File[]) => void
}

/** Takes files that are dropped anywhere on the page, or chosen by its button. */
export function DropZone({ refusal, take }: Props) {
  const isOver = useSignal(false)
  useEffect(() => {
    if (refusal !== null) return undefined
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      isOver.value = true
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isOver.value = false
    }
    const drop = (event: DragEvent) => {
      isOver.value = false
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      take(files)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [refusal, take])
  return (
    <>
      <label class={refusal === null ? 'button' : 'button off'} title={refusal ?? undefined}>
        <Icon name="upload" />
        {refusal ?? 'Upload files, or drop them here'}
        <input
          type={'file' as 'text'}
          class="off-screen"
          multiple
          disabled={refusal !== null}
          onChange={({ currentTarget }) => {
            take([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </label>
      {isOver.value && <div class="drop-over">Drop the files to upload them</div>}
    </>
  )
}
