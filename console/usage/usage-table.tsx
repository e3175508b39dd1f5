import { durationWords, gigabytes } from './amounts.ts'
import { hasFigures } from './series.ts'
import { bucketName } from './time-axis.ts'
import type { UsageHistory } from '../../common/openapi/openapi-types.ts'

/** The charts as one table, the newest first; hours without a figure are left out. */
export function UsageTable({ history: { buckets, bucket } }: { readonly history: UsageHistory }) {
  const rows = buckets.filter(hasFigures).toReversed()
  if (rows.length === 0) return <p class="note">No command ran in this time.</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div class="usage-table-box" role="group" aria-label="Figures" tabIndex={0}>
      <table class="usage-table number">
        <thead>
          <tr>
            <th scope="col">{bucket === 'hour' ? 'Hour' : 'Day (UTC)'}</th>
            <th scope="col">Done</th>
            <th scope="col">Failed</th>
            <th scope="col">Cancelled</th>
            <th scope="col">Wait, half</th>
            <th scope="col">Wait, 95 %</th>
            <th scope="col">Processed</th>
            <th scope="col">vCPU time</th>
            <th scope="col">FFmpeg time</th>
            <th scope="col">Most vCPUs</th>
            <th scope="col">Stored</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.start}>
              <th scope="row" title={one.start}>
                {bucketName(one.start, bucket)}
              </th>
              <td>{one.commands.succeeded}</td>
              <td>{one.commands.failed}</td>
              <td>{one.commands.cancelled}</td>
              <td>{wait(one.wait_seconds.p50)}</td>
              <td>{wait(one.wait_seconds.p95)}</td>
              <td>{gigabytes(one.processed_mbytes)}</td>
              <td>{durationWords(one.vcpu_seconds)}</td>
              <td>{durationWords(one.ffmpeg_seconds)}</td>
              <td>{one.peak_vcpu}</td>
              <td>{one.storage_mbytes === null ? '—' : gigabytes(one.storage_mbytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function wait(seconds: number | null): string {
  return seconds === null ? '—' : durationWords(seconds)
}
