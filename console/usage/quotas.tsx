import { day } from '../parts/clock-time.ts'
import { now } from '../parts/now.ts'
import { daysLeft, gigabytes, share } from './amounts.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

/** What the account has used of its plan, and what it uses now. */
export function Quotas({ usage }: { readonly usage: AccountUsage }) {
  const { processing, storage, vcpu, queue, commands, rate, period_end: end } = usage
  return (
    <section class="quotas" aria-label="Plan">
      <Quota
        title="Processed this month"
        words={share(processing.used_mbytes, processing.limit_mbytes)}
        used={processing.used_mbytes}
        limit={processing.limit_mbytes}
        note={`Begins again ${daysLeft(end, now.value)}, on ${day(new Date(end), 'utc')}.${reserved(processing.reserved_mbytes)}`}
      />
      <Quota
        title="Stored"
        words={share(storage.used_mbytes, storage.limit_mbytes)}
        used={storage.used_mbytes}
        limit={storage.limit_mbytes}
        note={`Deleting files frees it.${reserved(storage.reserved_mbytes)}`}
      />
      <Quota
        title="vCPUs in use now"
        words={vcpu.limit === null ? `${vcpu.in_use}` : `${vcpu.in_use} of ${vcpu.limit}`}
        used={vcpu.in_use}
        limit={vcpu.limit}
        note={`${commands.running} running, ${queue.queued} in the queue${queue.limit === null ? '' : ` of at most ${queue.limit.toLocaleString('en-GB')}`}.`}
      />
      <Quota
        title="Submissions left this minute"
        words={
          rate.submissions_per_minute === null
            ? 'No limit'
            : `${Math.floor(rate.submissions_left ?? 0)} of ${rate.submissions_per_minute}`
        }
        used={Math.floor(rate.submissions_left ?? 0)}
        limit={rate.submissions_per_minute}
        isRest
        note={`Plan ${usage.plan}.`}
      />
    </section>
  )
}

function reserved(mbytes: number): string {
  return mbytes === 0 ? '' : ` ${gigabytes(mbytes)} more are reserved by unfinished commands.`
}

interface QuotaProps {
  readonly title: string
  readonly words: string
  readonly used: number
  readonly limit: number | null
  readonly note: string
  /** The bar shows what is left, so a short one is the warning. */
  readonly isRest?: boolean
}

function Quota({ title, words, used, limit, note, isRest = false }: QuotaProps) {
  const part = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  const isTight = limit !== null && (isRest ? part === 0 : part >= 0.9)
  return (
    <div class={isTight ? 'quota tight' : 'quota'}>
      <h2>{title}</h2>
      <p class="quota-figure number">{words}</p>
      {limit !== null && (
        <progress value={part} max={1} aria-label={title} aria-valuetext={words} />
      )}
      <p class="muted">{note}</p>
    </div>
  )
}
