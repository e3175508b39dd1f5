import { table as inColumns } from '../../api-server/admin/command/table.ts'
import type { CommandStatusRecord } from '../../cli/client/client.ts'

export interface Finished {
  readonly title: string
  readonly record: CommandStatusRecord
}

/** The result of each command, one line per output. */
export function table(finished: readonly Finished[]): string {
  const header = ['COMMAND', 'STATUS', 'TOTAL', 'FFMPEG', 'SIZE', 'CODEC', 'URL']
  const rows = finished.flatMap(({ title, record }) => {
    const outputs = Object.values(record.output_files ?? {})
    const files = outputs.length === 0 ? [null] : outputs
    return files.map((file) => [
      title,
      record.status,
      seconds(record.total_processing_seconds),
      seconds(record.ffmpeg_command_run_seconds),
      typeof file?.size_mbytes === 'number' ? `${file.size_mbytes.toFixed(2)} MB` : '-',
      file?.codec ?? '-',
      file?.storage_url ?? record.error_message ?? '-',
    ])
  })
  return inColumns(header, rows)
}

function seconds(value: number | null): string {
  return value === null ? '-' : `${value.toFixed(2)} s`
}

/** Commands to try next; the three lines work unchanged. */
export function nextSteps({
  url,
  apiKey,
  namespace,
  sample,
}: {
  url: string
  apiKey: string
  namespace: string
  sample: string
}): string {
  const body = JSON.stringify({
    input_files: {},
    output_files: { out_1: 'test.mp4' },
    ffmpeg_command: '-f lavfi -i testsrc2=duration=5 {{out_1}}',
  })
  return `It keeps running; 'npm run down' removes it. The console, signed in, for a
browser of this machine: ${url}/console#key=${apiKey}

In a shell:

  source .quickstart/env
  curl -sS $CLOUD_FFMPEG_URL/v1/run-ffmpeg-command -H "X-API-KEY: $CLOUD_FFMPEG_API_KEY" -d '${body}'
  kubectl -n ${namespace} get ffmpegcommands

$SAMPLE is a video in its storage, and $SAMPLES its folder with the other files of docs/recipes.md: ${sample}
docs/getting-started.md goes on from there.
`
}
