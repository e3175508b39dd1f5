import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { dayAndTime } from '../parts/clock-time.ts'
import { now } from '../parts/now.ts'
import { expiryWords, keyName, useWords } from './key-words.ts'
import type { ApiKey } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly apiKey: ApiKey
  /** null where the key of this profile cannot. */
  readonly revoke: (() => void) | null
}

export function KeyRow({ apiKey, revoke }: Props) {
  const { created_at: made, last_used_at: used, expires_at: expires } = apiKey
  const expiry = expiryWords(expires, now.value)
  return (
    <li class="key-row">
      <Icon name="key" />
      <div class="key-words">
        <p class="key-name row">
          <span class="clip">{keyName(apiKey)}</span>
          {apiKey.prefix !== null && apiKey.label !== null && (
            <code class="muted">{apiKey.prefix}…</code>
          )}
          {apiKey.is_this_one && <span class="tag accent">this one</span>}
          {apiKey.read_only && <span class="tag">read-only</span>}
          {expiry !== null && expires !== null && (
            <span class={expiry === 'expired' ? 'tag bad' : 'tag'} title={expires}>
              {expiry}
            </span>
          )}
        </p>
        <p class="muted">
          <span title={made}>Made {dayAndTime(new Date(made))}</span> ·{' '}
          <span title={used ?? undefined}>{useWords(used, now.value)}</span>
        </p>
      </div>
      <Button
        label={`Revoke ${keyName(apiKey)}`}
        isOff={revoke === null}
        onClick={() => revoke?.()}
      >
        Revoke
      </Button>
    </li>
  )
}
