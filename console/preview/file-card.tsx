import { useSignal } from '@preact/signals'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { duration, megabytes } from '../parts/relative-time.ts'
import { nameOf, previewKind } from './preview-kind.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly alias: string
  readonly file: FileRecord
  /** Reads the record again, with new URLs for private files. */
  readonly read: () => Promise<void>
}

export function FileCard({ alias, file, read }: Props) {
  const name = nameOf(file) || alias
  const url = file.storage_url
  return (
    <article class="file">
      <header class="file-head">
        <h2 class="clip">{name}</h2>
        <span class="muted mono">{alias}</span>
      </header>
      <p class="muted facts">{factsOf(file)}</p>
      {file.is_deleted ? (
        <p class="note">Deleted. The record stays.</p>
      ) : (
        url !== null && (
          <>
            <Preview key={url} file={file} name={name} url={url} read={read} />
            <div class="actions">
              <a class="button" href={url} target="_blank" rel="noopener noreferrer">
                <Icon name="open" />
                Open
              </a>
              <CopyButton text={url} what="URL" worded />
            </div>
          </>
        )
      )}
    </article>
  )
}

interface PreviewProps extends Omit<Props, 'alias'> {
  readonly name: string
  readonly url: string
}

/** Straight from the storage, which needs no CORS for it. */
function Preview({ file, name, url, read }: PreviewProps) {
  const isBroken = useSignal(false)
  const onError = () => (isBroken.value = true)
  const kind = previewKind(file)
  if (kind === 'none') {
    return <p class="note">Browsers do not play this format. Open it in a player.</p>
  }
  if (isBroken.value) {
    const again = async () => {
      await read()
      isBroken.value = false
    }
    const isMixed = location.protocol === 'https:' && url.startsWith('http:')
    return (
      <div class="note">
        <p>
          {isMixed
            ? 'The browser blocks this: storage is on http.'
            : 'The browser cannot show this file: it cannot play the format, or the storage does not answer.'}
        </p>
        <button type="button" class="button" onClick={() => void again()}>
          Load it again
        </button>
      </div>
    )
  }
  if (kind === 'image')
    return <img class="preview" src={url} alt={name} loading="lazy" onError={onError} />
  if (kind === 'audio') {
    return (
      <audio
        class="preview"
        src={url}
        controls
        preload="metadata"
        aria-label={name}
        onError={onError}
      />
    )
  }
  return (
    <video
      class="preview"
      src={url}
      controls
      preload="metadata"
      playsInline
      aria-label={name}
      onError={onError}
    />
  )
}

function factsOf(file: FileRecord): string {
  const { width, height, codec, frame_rate: rate, duration: seconds, size_mbytes: size } = file
  return [
    width !== null && height !== null ? `${width}x${height}` : null,
    codec,
    rate !== null && file.file_type === 'video' ? `${Number(rate.toFixed(2))} fps` : null,
    seconds !== null ? duration(seconds) : null,
    size !== null ? megabytes(size) : null,
    file.file_count !== null ? `${file.file_count} files` : null,
    file.is_private ? 'private' : null,
  ]
    .filter((fact) => fact !== null)
    .join(' · ')
}
