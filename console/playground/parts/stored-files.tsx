import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../controls/button.tsx'
import { inputOf, titleOf } from '../../files/file-facts.ts'
import { now } from '../../parts/now.ts'
import { reasonOf } from '../../parts/notices.ts'
import { age, megabytes } from '../../parts/relative-time.ts'
import type { Client } from '../../../cli/client/client-with-effects.ts'
import type { DraftInput } from '../../draft/draft.ts'
import type { ListedFile } from '../../files/file-facts.ts'

interface Props {
  readonly client: Client
  readonly choose: (file: Pick<DraftInput, 'url' | 'file'>) => void
  readonly close: () => void
}

/** The newest files; older ones are inputs by their URLs. */
const most = 200

/** Outputs and uploads of the account, to take one as an input. */
export function StoredFiles({ client, choose, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const files = useSignal<readonly ListedFile[] | null>(null)
  const problem = useSignal<unknown>(null)
  const search = useSignal('')
  useEffect(() => {
    dialog.current?.showModal()
    const stop = new AbortController()
    client.listFiles({ limit: most }, { signal: stop.signal }).then(
      (found) => (files.value = found.filter(isUsable)),
      (error: unknown) => {
        if (!stop.signal.aborted) problem.value = error
      },
    )
    return () => stop.abort()
  }, [])
  const wanted = search.value.trim().toLowerCase()
  const shown = (files.value ?? []).filter((file) => titleOf(file).toLowerCase().includes(wanted))
  return (
    <dialog ref={dialog} class="wide" aria-labelledby="stored-title" onClose={close}>
      <h2 id="stored-title">Stored files</h2>
      <input
        class="grow"
        type="search"
        aria-label="Search by name"
        placeholder="Search by name"
        value={search.value}
        onInput={({ currentTarget }) => (search.value = currentTarget.value)}
      />
      <div class="stored" tabIndex={0} role="group" aria-label="Files">
        {problem.value !== null && <p class="problem">{reasonOf(problem.value)}</p>}
        {problem.value === null && files.value === null && (
          <p class="late">Still asking for the files.</p>
        )}
        {files.value !== null && shown.length === 0 && (
          <p class="note">
            {files.value.length === 0
              ? 'Outputs and uploads appear here. There are none yet.'
              : 'No file has such a name.'}
          </p>
        )}
        {shown.map((file) => (
          <button
            key={file.file_id}
            type="button"
            class="menu-item"
            onClick={() => choose(inputOf(file))}
          >
            <span class="clip">{titleOf(file)}</span>
            <span class="space" />
            <span class="muted number">
              {file.size_mbytes === null ? '' : megabytes(file.size_mbytes)} ·{' '}
              {age(file.created_at, now.value)}
            </span>
          </button>
        ))}
      </div>
      <div class="actions end">
        <Button onClick={close}>Close</Button>
      </div>
    </dialog>
  )
}

function isUsable({ status, storage_url: url }: ListedFile): boolean {
  return (status === 'STORED' || status === 'UPLOADED') && url !== null
}
