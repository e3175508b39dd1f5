/** What a newcomer types next; the three lines work as they stand. */
export function nextSteps({ url, namespace }: { url: string; namespace: string }): string {
  const body = JSON.stringify({
    input_files: {},
    output_files: { out_1: 'test.mp4' },
    ffmpeg_command: '-f lavfi -i testsrc2=duration=5 {{out_1}}',
  })
  return `It keeps running; 'npm run down' removes it. A browser of this machine at ${url} shows all calls and tries them. In a shell:

  source .quickstart/env
  curl -s $CLOUD_FFMPEG_URL/v1/run-ffmpeg-command -H "X-API-KEY: $CLOUD_FFMPEG_API_KEY" -d '${body}'
  kubectl -n ${namespace} get ffmpegcommands

docs/getting-started.md goes on from there.
`
}
