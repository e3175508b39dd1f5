import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../controls/icons.tsx'
import { duration, megabytes } from '../parts/relative-time.ts'
import { deletedNote } from './deleted-note.ts'
import { Preview } from './preview.tsx'
import { nameOf } from './preview-kind.ts'
import type { ComponentChildren } from 'preact'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly output: { readonly alias: string; readonly file: FileRecord; readonly name: string }
  /** Reads the record again, with new URLs for private files. */
  readonly read: () => Promise<void>
  /** Further buttons, for a file that is there. */
  readonly children?: ComponentChildren
}

export function FileCard({ client, output, read, children }: Props) {
  const { alias, file } = output
  const name = nameOf(file) || output.name
  const url = file.storage_url
  return (
    <article class="column dense box">
      <header class="file-head">
        <h2 class="clip">{name}</h2>
        <span class="muted mono">{alias}</span>
      </header>
      <p class="muted facts">{factsOf(file)}</p>
      {file.is_deleted ? (
        <p class="note">{deletedNote(file)}</p>
      ) : (
        url !== null && (
          <>
            <Preview client={client} file={file} name={name} url={url} read={read} />
            <div class="actions">
              <a class="button" href={url} target="_blank" rel="noopener noreferrer">
                <Icon name="open" />
                Open
              </a>
              <CopyButton text={url} what="URL" worded />
              {children}
            </div>
          </>
        )
      )}
    </article>
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
