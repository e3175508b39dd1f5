import { useSignal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { Button } from '../controls/button.tsx'
import { Select } from '../controls/choices.tsx'
import { dayAndTime } from '../parts/clock-time.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { attempt } from '../parts/notices.ts'
import { lifetimes, usualLifetime } from './lifetimes.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly client: Client
  readonly file: FileRecord
}

/** A URL of a private file for people without a key, for a while. */
export function Presign({ client, file }: Props) {
  const seconds = useSignal(usualLifetime)
  const made = useSignal<{ readonly url: string; readonly until: Date } | null>(null)
  const sign = () =>
    attempt(async () => {
      const lifetime = Number(seconds.value)
      const signed = await client.getFile(file.file_id, { presigned_ttl_seconds: lifetime })
      const until = new Date(browserEffects.clock.wall().getTime() + lifetime * 1_000)
      made.value = { url: signed.storage_url ?? '', until }
      return `The URL opens the file for ${lifetimes[seconds.value]}.`
    })
  return (
    <section class="presign column dense" aria-label="URL for a while">
      <div class="actions">
        <Select
          label="How long the URL opens the file"
          names={lifetimes}
          value={seconds.value}
          choose={(chosen) => (seconds.value = chosen)}
        />
        <Button onClick={sign}>Make a URL</Button>
      </div>
      {made.value !== null && (
        <>
          <p class="url mono frame" tabIndex={0} role="group" aria-label="Signed URL">
            {made.value.url}
          </p>
          <div class="actions">
            <CopyButton text={made.value.url} what="signed URL" worded />
            <span class="muted">until {dayAndTime(made.value.until)}</span>
          </div>
        </>
      )}
    </section>
  )
}
