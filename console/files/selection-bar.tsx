import { useSignal } from '@preact/signals'
import { Button } from '../controls/button.tsx'
import { Select } from '../controls/choices.tsx'
import { copyText } from '../parts/clipboard.ts'
import { megabytes } from '../parts/relative-time.ts'
import { attempt } from '../parts/notices.ts'
import { useInPlayground } from './file-actions.ts'
import { counted } from './file-facts.ts'
import { lifetimes, usualLifetime } from './lifetimes.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { ListedFile } from './file-facts.ts'

interface Props {
  readonly client: Client
  readonly profileId: string
  readonly files: readonly ListedFile[]
  readonly remove: () => void
  readonly clear: () => void
}

/** Actions on several files at a time. */
export function SelectionBar({ client, profileId, files, remove, clear }: Props) {
  const seconds = useSignal(usualLifetime)
  if (files.length === 0) return null
  const size = files.reduce((sum, file) => sum + (file.size_mbytes ?? 0), 0)
  const stored = files.filter(({ storage_url: url }) => url !== null)
  const hasPrivate = stored.some((file) => file.is_private)
  const copy = () =>
    attempt(async () => {
      const urls = await Promise.all(
        stored.map(async (file) => {
          if (!file.is_private) return file.storage_url
          const query = { presigned_ttl_seconds: Number(seconds.value) }
          return (await client.getFile(file.file_id, query)).storage_url
        }),
      )
      const isCopied = await copyText(urls.filter((url) => url !== null).join('\n'))
      if (!isCopied) throw new Error('The browser does not allow copying.')
      return `${urls.length} ${urls.length === 1 ? 'URL' : 'URLs'} copied.`
    })
  return (
    <div class="selection row" role="toolbar" aria-label="Selected files">
      <span>
        {counted(files.length)}, {megabytes(size)}
      </span>
      {hasPrivate && (
        <Select
          label="How long URLs of private files open them"
          names={lifetimes}
          value={seconds.value}
          choose={(chosen) => (seconds.value = chosen)}
        />
      )}
      {stored.length > 0 && (
        <>
          <Button onClick={copy}>{hasPrivate ? 'Copy signed URLs' : 'Copy URLs'}</Button>
          <Button onClick={() => useInPlayground(profileId, stored)}>Use in playground</Button>
        </>
      )}
      <Button look="bad" onClick={remove}>
        Delete {counted(files.length)}
      </Button>
      <Button look="quiet" onClick={clear}>
        Clear
      </Button>
    </div>
  )
}
