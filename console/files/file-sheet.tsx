import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Skeleton } from '../controls/skeleton.tsx'
import { Button } from '../controls/button.tsx'
import { dayAndTime } from '../parts/clock-time.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../controls/icons.tsx'
import { attempt, reasonOf } from '../parts/notices.ts'
import { now } from '../parts/now.ts'
import { age } from '../parts/relative-time.ts'
import { deletedNote } from '../preview/deleted-note.ts'
import { Preview } from '../preview/preview.tsx'
import { href } from '../shell/navigation.ts'
import { download, useInPlayground } from './file-actions.ts'
import { factsOf, originOf, stateOf, titleOf } from './file-facts.ts'
import { Presign } from './presign.tsx'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly profileId: string
  readonly id: string
  readonly close: () => void
  readonly remove: (file: FileRecord) => void
}

/** A private file plays by a URL of this lifetime. */
const playSeconds = 900

/** Everything about one file; from the right, on narrow screens from below. */
export function FileSheet({ client, profileId, id, close, remove }: Props) {
  const closing = useRef<HTMLButtonElement>(null)
  const file = useSignal<FileRecord | null>(null)
  const problem = useSignal<unknown>(null)
  const read = async () => {
    try {
      file.value = await client.getFile(id, { presigned_ttl_seconds: playSeconds })
      problem.value = null
    } catch (error) {
      problem.value = error
    }
  }
  useEffect(() => {
    void read()
    const before = document.activeElement
    closing.current?.focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) close()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const shown = file.value
  return (
    <section class="sheet column" role="dialog" aria-labelledby="sheet-title">
      <header class="sheet-head">
        <h2 id="sheet-title" class="clip">
          {shown === null ? 'File' : titleOf(shown)}
        </h2>
        <Button
          look="quiet"
          isSmall
          icon="failed"
          label="Close the details"
          buttonRef={closing}
          onClick={close}
        />
      </header>
      {problem.value !== null && <p class="problem">{reasonOf(problem.value)}</p>}
      {problem.value === null && shown === null && <Skeleton late="Still asking for the file." />}
      {shown !== null && (
        <Details
          client={client}
          profileId={profileId}
          read={read}
          file={shown}
          remove={() => remove(shown)}
        />
      )}
    </section>
  )
}

interface DetailsProps {
  readonly client: Client
  readonly profileId: string
  readonly file: FileRecord
  readonly read: () => Promise<void>
  readonly remove: () => void
}

function Details({ client, profileId, file, read, remove }: DetailsProps) {
  const url = file.storage_url
  return (
    <>
      {file.is_deleted && <p class="note">{deletedNote(file)}</p>}
      {file.status === 'FAILED' && (
        <p class="problem">{file.external_error_message ?? 'The file could not be stored.'}</p>
      )}
      {url === null && !file.is_deleted && file.status !== 'FAILED' && (
        <p class="note">{stateOf(file).word}. Its facts appear here once it is stored.</p>
      )}
      {url !== null && (
        <>
          <Preview client={client} file={file} name={titleOf(file)} url={url} read={read} />
          <div class="actions">
            <a class="button" href={url} target="_blank" rel="noopener noreferrer">
              <Icon name="open" />
              Open
            </a>
            <Button icon="download" onClick={() => attempt(() => download(client, file))}>
              Download
            </Button>
            <Button icon="play" onClick={() => useInPlayground(profileId, [file])}>
              Use in playground
            </Button>
            <Button look="bad" onClick={remove}>
              Delete
            </Button>
          </div>
          <UrlPart client={client} file={file} url={url} />
        </>
      )}
      <section class="column dense">
        <h3>Facts</h3>
        <dl class="facts-list">
          {factsOf(file).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
          <Fact name="From">
            {file.command_id === null ? (
              <span class="mono wrap">{file.original_file_url ?? originOf(file)}</span>
            ) : (
              <a href={href({ page: 'commands', id: file.command_id })}>the command that made it</a>
            )}
          </Fact>
          <Fact name="Stored">
            <time title={file.created_at}>{age(file.created_at, now.value)} ago</time>
          </Fact>
          <Fact name="Kept until">
            {file.expires_at === null ? 'deleted' : dayAndTime(new Date(file.expires_at))}
          </Fact>
          <Fact name="Id">
            <span class="mono wrap">{file.file_id}</span>{' '}
            <CopyButton text={file.file_id} what="id" />
          </Fact>
        </dl>
      </section>
    </>
  )
}

interface UrlProps {
  readonly client: Client
  readonly file: FileRecord
  readonly url: string
}

function UrlPart({ client, file, url }: UrlProps) {
  const plain = file.is_private ? url.replace(/\?.*$/, '') : url
  return (
    <section class="column dense">
      <h3>URL</h3>
      <p class="url mono frame" tabIndex={0} role="group" aria-label="URL">
        {plain}
      </p>
      <div class="actions">
        <CopyButton text={plain} what="URL" worded />
      </div>
      {file.is_private ? (
        <>
          <p class="note">
            Private: as an input of your commands this URL works; others need a signed one.
          </p>
          <Presign client={client} file={file} />
        </>
      ) : (
        <p class="note">Public: everybody who has this URL can open the file.</p>
      )}
    </section>
  )
}

function Fact({
  name,
  children,
}: {
  readonly name: string
  readonly children: preact.ComponentChildren
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
