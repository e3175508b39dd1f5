import { Skeleton } from '../controls/skeleton.tsx'
import { Button } from '../controls/button.tsx'
import { useStore } from '../controls/page-hooks.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { attempt } from '../parts/notices.ts'
import { config, usage } from '../shell/service.ts'
import { profile, removeProfile } from '../shell/session.ts'
import { KeyRow } from './key-row.tsx'
import { createKeyList } from './key-list.ts'
import { keyName } from './key-words.ts'
import { MakeKey } from './make-key.tsx'
import type { ApiKey } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

export function KeysPage({ client }: { readonly client: Client }) {
  const list = useStore(() => createKeyList(client), [client])
  const keys = list.keys.value
  const own = keys?.find((key) => key.is_this_one) ?? null
  const isReadOnly = own?.read_only === true
  const revoke = (key: ApiKey) =>
    attempt(async () => {
      const yes = await confirmed({
        title: `Revoke ${keyName(key)}?`,
        text: key.is_this_one
          ? 'It is the key of this profile: the service refuses it within 5 seconds, here and wherever else it is used, and the profile goes. It cannot be taken back.'
          : 'The service refuses it within 5 seconds, wherever it is used. It cannot be taken back.',
        verb: 'Revoke it',
      })
      if (!yes) return 'The key stays.'
      const id = profile.peek()?.id
      await list.revoke(key.key_id)
      if (key.is_this_one && id !== undefined) removeProfile(id)
      return `${keyName(key)} is revoked.`
    })
  return (
    <>
      <header class="page-head row">
        <h1>Keys</h1>
      </header>
      <p class="note">
        Every key of the account sees the whole account. A read-only key reads and validates: it
        suits shared screens.
      </p>
      {isReadOnly && (
        <p class="note">This key is read-only, so it can neither make nor revoke keys.</p>
      )}
      {list.problem.value !== null && (
        <p class="problem" role="alert">
          {list.problem.value} <Button onClick={list.readNow}>Refresh</Button>
        </p>
      )}
      {keys === null && list.problem.value === null && (
        <Skeleton rows={1} late="Still asking for the keys." />
      )}
      {keys !== null && (
        <ul class="keys-list frame" aria-label="Keys of the account">
          {keys.map((key) => (
            <KeyRow
              key={key.key_id}
              apiKey={key}
              revoke={isReadOnly ? null : () => void revoke(key)}
            />
          ))}
        </ul>
      )}
      {keys !== null &&
        (config.value?.self_service_keys === true ? (
          !isReadOnly && <MakeKey list={list} />
        ) : (
          <ByAdministrator />
        ))}
    </>
  )
}

function ByAdministrator() {
  const account = usage.value?.account ?? 'ACCOUNT'
  const command = `kubectl -n NAMESPACE exec deploy/RELEASE-api-server -- node main.ts admin keys create ${account} --label NAME`
  return (
    <section class="card frame wide column">
      <h2>Make a key</h2>
      <p>
        In this installation an administrator makes keys, by this command with the namespace and
        release of the chart and a name for the key; <code>--read-only</code> and{' '}
        <code>--expires-in 30d</code> limit a key:
      </p>
      <p class="code mono">{command}</p>
      <CopyButton text={command} what="command" worded />
    </section>
  )
}
