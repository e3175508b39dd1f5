import { Button } from '../controls/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { megabytes } from '../parts/relative-time.ts'
import { StorageTrouble } from './storage-trouble.ts'
import { percentOf, uploadWords } from './upload-words.ts'
import type { StorageRemedy } from '../parts/storage-remedy.ts'
import type { Upload } from './upload.ts'

interface Props {
  readonly upload: Upload
  /** Called once it is discarded. */
  readonly gone: () => void
}

/** One upload: how far it is, how fast, and what can be done with it. */
export function UploadRow({ upload, gone }: Props) {
  const { name, sizeBytes } = upload
  const state = upload.state.value
  const percent = percentOf(upload)
  const discard = () => {
    gone()
    void upload.discard()
  }
  return (
    <div class="upload column">
      <div class="upload-line">
        <span class="clip upload-name" title={name}>
          {name}
        </span>
        <span class="muted number">{megabytes(sizeBytes / 1_048_576)}</span>
        <span class="space" />
        {state.kind === 'sending' || state.kind === 'waiting' ? (
          <Button isSmall onClick={upload.pause}>
            Pause
          </Button>
        ) : null}
        {state.kind === 'paused' && (
          <Button isSmall onClick={upload.resume}>
            Resume
          </Button>
        )}
        {state.kind === 'failed' && (
          <Button isSmall onClick={upload.resume}>
            Try again
          </Button>
        )}
        <Button look="quiet" isSmall icon="failed" label={`Discard ${name}`} onClick={discard} />
      </div>
      {state.kind !== 'done' && (
        <progress
          max="100"
          value={percent}
          aria-label={`Upload of ${name}`}
          aria-valuetext={`${percent} %`}
        />
      )}
      <p class={state.kind === 'failed' ? 'problem' : 'muted'} role="status">
        <span class={state.kind === 'sending' ? 'number' : ''}>{uploadWords(upload)}</span>
      </p>
      {state.kind === 'failed' && state.problem instanceof StorageTrouble && (
        <Remedy remedy={state.problem.remedy} />
      )}
    </div>
  )
}

/** Steps for an administrator when a storage refuses this page. */
function Remedy({ remedy }: { readonly remedy: StorageRemedy | null }) {
  if (remedy === null) return null
  return (
    <div class="column dense">
      <p>An administrator can allow it:</p>
      <pre class="mono code" tabIndex={0} aria-label="Command for an administrator">
        {remedy.command}
      </pre>
      <div class="actions">
        <CopyButton text={remedy.command} what="command" worded />
        <CopyButton text={remedy.rules} what="rules of the bucket" worded />
      </div>
    </div>
  )
}
