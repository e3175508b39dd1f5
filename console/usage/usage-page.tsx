import { useEffect } from 'preact/hooks'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { Button } from '../controls/button.tsx'
import { Chips, Select } from '../controls/choices.tsx'
import { Skeleton } from '../controls/skeleton.tsx'
import { useAddress, useStore } from '../controls/page-hooks.ts'
import { go, href } from '../shell/navigation.ts'
import { usage } from '../shell/service.ts'
import { BarChart } from './bar-chart.tsx'
import { Quotas } from './quotas.tsx'
import { charts, errorsOf } from './series.ts'
import { isOfOneDay, queryOf, shownIn, spanWords } from './spans.ts'
import { UsageTable } from './usage-table.tsx'
import { createUsageStore } from './usage-store.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { UsageHistory } from '../../common/openapi/openapi-types.ts'
import type { Shown } from './spans.ts'

interface Props {
  readonly client: Client
  readonly query: URLSearchParams
}

export function UsagePage({ client, query }: Props) {
  const shown = useAddress(query, shownIn)
  const store = useStore(() => createUsageStore(client, shown), [client, shown])
  // Usage is read again whenever commands start and end.
  const account = usage.value
  useEffect(() => store.readSoon(), [store, account])
  const history = store.history.value
  useEffect(() => {
    if (history === null || query.has('span')) return
    if (isOfOneDay(history.buckets, browserEffects.clock.wall().getTime())) show(shown, dayByHour)
  }, [history, query, shown])
  const problem = store.problem.value
  return (
    <>
      <header class="page-head row">
        <h1>Usage</h1>
      </header>
      {account !== null && <Quotas usage={account} />}
      <SpanBar shown={shown} />
      {problem !== null && (
        <p class="problem" role="alert">
          {problem} <Button onClick={store.readNow}>Refresh</Button>
        </p>
      )}
      {history === null && problem === null && <Skeleton late="Still asking for the figures." />}
      {history !== null && (
        <>
          <div class="charts">
            {charts.map((chart) => (
              <BarChart key={chart.id} chart={chart} history={history} />
            ))}
          </div>
          <Errors history={history} />
          <details class="as-table">
            <summary>As a table</summary>
            <UsageTable history={history} />
          </details>
          <p class="note">
            Days and months are those of UTC. Commands count in the hour in which they end, also
            after their records were deleted; hours are kept for 400 days.
          </p>
        </>
      )}
    </>
  )
}

const dayByHour: Shown = { span: '24h', by: 'hour' }

function show(shown: Shown, change: Partial<Shown>): void {
  go({ page: 'usage', query: queryOf({ ...shown, ...change }) }, 'replace')
}

function SpanBar({ shown }: { readonly shown: Shown }) {
  return (
    <div class="filters row">
      <Chips
        label="Time"
        names={spanWords}
        value={shown.span}
        choose={(span) =>
          show(shown, { span, by: span === '24h' || span === '7d' ? 'hour' : 'day' })
        }
      />
      <Select
        label="Length of a bar"
        names={{ hour: 'by hour', day: 'by day' }}
        value={shown.by}
        isOff={shown.span === '24h'}
        choose={(by) => show(shown, { by })}
      />
    </div>
  )
}

/** Why commands failed, with the list of those. */
function Errors({ history }: { readonly history: UsageHistory }) {
  const errors = errorsOf(history.buckets)
  if (errors.length === 0) return null
  return (
    <section class="causes">
      <h2>Why commands failed</h2>
      <ul>
        {errors.map(([code, number]) => (
          <li key={code}>
            <a
              href={href({
                page: 'commands',
                query: new URLSearchParams({ state: 'failed', error: code }),
              })}
            >
              <code>{code}</code>
            </a>{' '}
            <span class="number">{number.toLocaleString('en-GB')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
