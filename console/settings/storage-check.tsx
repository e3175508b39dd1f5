import { useSignal } from '@preact/signals'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { reasonOf } from '../parts/notices.ts'
import { remedyFor } from '../parts/storage-remedy.ts'
import { config } from '../shell/service.ts'
import { checkStorage, verdictsOf } from './check-storage.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { StorageFindings, Verdict } from './check-storage.ts'

/** Whether pages and scripts reach the storage, origin by origin. */
export function StorageCheck({ client }: { readonly client: Client }) {
  const findings = useSignal<readonly StorageFindings[] | null>(null)
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const check = async () => {
    isBusy.value = true
    problem.value = null
    try {
      findings.value = await checkAll(client)
    } catch (error) {
      problem.value = reasonOf(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <>
      <p class="note">
        Whether pages of {location.host} may read stored files, and how this browser reaches the
        storage.
      </p>
      <div role="status" class="findings">
        {findings.value?.map((one) => (
          <Findings key={one.origin} one={one} />
        ))}
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="actions">
        <Button isOff={isBusy.value} onClick={check}>
          {isBusy.value ? 'Checking' : findings.value === null ? 'Check' : 'Check again'}
        </Button>
      </div>
    </>
  )
}

function Findings({ one }: { readonly one: StorageFindings }) {
  const { command, rules } = remedyFor(location.origin)
  return (
    <div class="finding column dense">
      <h3 class="mono">{one.origin}</h3>
      <ul class="verdicts">
        {verdictsOf(one).map((verdict) => (
          <li key={verdict.title}>
            <Icon name={icons[verdict.tone]} />
            <span>
              <strong class={verdict.tone}>{verdict.title}</strong> {verdict.text}
            </span>
          </li>
        ))}
      </ul>
      {one.cors === 'refused' && (
        <>
          <p>An administrator can allow it:</p>
          <p class="code mono">{command}</p>
          <div class="actions">
            <CopyButton text={command} what="command" worded />
            <CopyButton text={rules} what="rules of the bucket" worded />
          </div>
        </>
      )}
    </div>
  )
}

const icons = { good: 'done', bad: 'failed', muted: 'queued' } as const satisfies Record<
  Verdict['tone'],
  string
>

async function checkAll(client: Client): Promise<StorageFindings[]> {
  const url = await storedUrl(client)
  const origins = config.value?.storage_origins ?? []
  return Promise.all(
    origins.map((origin) =>
      checkStorage(
        {
          page: location.origin,
          origin,
          fileUrl: url !== null && new URL(url).origin === origin ? url : null,
        },
        { fetch: (input, init) => fetch(input, init), protocolOf },
      ),
    ),
  )
}

/** A file that can be read; the URL of a private one is signed for a minute. */
async function storedUrl(client: Client): Promise<string | null> {
  const [file] = await client.listFiles({ status: 'STORED', limit: 1 })
  if (file === undefined) return null
  return (await client.getFile(file.file_id, { presigned_ttl_seconds: 60 })).storage_url
}

/** Other origins tell it only where they send Timing-Allow-Origin. */
function protocolOf(url: string): string | null {
  // The browser's record of its requests, not a clock.
  // oxlint-disable-next-line no-restricted-globals
  const [entry] = performance.getEntriesByName(url).toReversed()
  const protocol = entry instanceof PerformanceResourceTiming ? entry.nextHopProtocol : ''
  return protocol === '' ? null : protocol
}
