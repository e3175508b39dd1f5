import type { Finished } from './table.ts'

interface Options {
  readonly url: string
  readonly namespace: string
  readonly records: readonly Finished[]
}

/** What a newcomer types next; every line works as it stands. */
export function nextSteps({ url, namespace, records }: Options): string {
  const first = records[0]?.record
  const stored = Object.values(first?.output_files ?? {})[0]?.storage_url ?? ''
  const body = (request: object): string => `'${JSON.stringify(request)}'`
  const key = '-H "X-API-KEY: $CLOUD_FFMPEG_API_KEY"'
  return `The cluster keeps running; 'npm run down' removes it. The API is at ${url}.

  source .quickstart/env

A test picture with sound, no input needed:

  curl -s $CLOUD_FFMPEG_URL/v1/run-ffmpeg-command ${key} -d ${body({
    input_files: {},
    output_files: { out_1: 'test.mp4' },
    ffmpeg_command: '-f lavfi -i testsrc2=duration=5 -f lavfi -i sine=duration=5 {{out_1}}',
  })}

The second of the transcoded clip at 00:10 as a picture; the result of one command is the input of the next:

  curl -s $CLOUD_FFMPEG_URL/v1/run-ffmpeg-command ${key} -d ${body({
    input_files: { in_1: stored },
    output_files: { out_1: 'still.jpg' },
    ffmpeg_command: '-ss 10 -i {{in_1}} -frames:v 1 {{out_1}}',
  })}

Status and result of a command:

  curl -s $CLOUD_FFMPEG_URL/v1/commands/${first?.command_id ?? 'COMMAND_ID'} ${key}

Your own files as input (URLs http://$CLOUD_FFMPEG_HOST_ADDRESS:8000/NAME), and the cluster's view:

  python3 -m http.server --bind $CLOUD_FFMPEG_HOST_ADDRESS 8000 &
  kubectl -n ${namespace} get ffmpegcommands --watch
`
}
