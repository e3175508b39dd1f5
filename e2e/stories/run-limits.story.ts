import { expect } from 'chai'
import type { Client } from '../../cli/client/client.ts'
import { useEnvironment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { newAccount } from '../steps/new-account.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('a run that takes more than it may', () => {
  const env = useEnvironment()

  it('a run ends with the largest file that its plan allows in the message', async () => {
    const { client } = await newAccount(env, 'small')
    const record = await run(client, '-f lavfi -i testsrc2=s=1280x720 -f rawvideo {{out_1}}')
    expect(record).to.include({ status: 'FAILED', error_status: 'OUTPUT_TOO_LARGE' })
    expect(record.error_message).to.match(
      /^An output exceeded 1 MB, the largest file that the plan/,
    )
  })

  it('a run ends with the number of files that it may write in the message', async () => {
    const record = await submitAndWait(env.client, {
      input_files: {},
      output_files: 'OUTPUT_FOLDER',
      ffmpeg_command: '-f lavfi -i color=s=16x16:r=1000 -c:v ppm frame-%05d.ppm',
    })
    expect(record).to.include({ status: 'FAILED', error_status: 'OUTPUT_TOO_LARGE' })
    expect(record.error_message).to.match(/^FFmpeg wrote more than 10000 files; longer segments/)
  })

  it('a run ends with the size of the working disk in the message', async () => {
    const record = await run(env.client, '-f lavfi -i testsrc2=s=1920x1080 -f rawvideo {{out_1}}')
    expect(record).to.include({ status: 'FAILED', error_status: 'DISK_FULL' })
    expect(record.error_message).to.match(/^The working disk of 1 GB is full; inputs, outputs/)
  })

  it('keeps the beginning and the end of a flood of its log', async () => {
    const flood = '-f lavfi -i color=s=16x16:r=25:d=400 -vf showinfo -f rawvideo {{out_1}}'
    const record = await run(env.client, flood)
    expect(record.status).to.equal('SUCCESS')
    const log = await env.client.getCommandLogs(record.command_id)
    expect(log.length).to.be.within(512 * 1024, 1024 ** 2 + 1024)
    expect(log).to.match(/n: +0 pts/)
    expect(log).to.match(/n:9999 pts/)
  })

  it('a run ends with the reason when its node allows no more threads', async function () {
    const limit = await podPidsLimit(env)
    // If a node allows more, that many inputs would be a test of its memory.
    if (limit <= 0 || limit > 2000) this.skip()
    // FFmpeg 7.1 filters and encodes each stream in a thread of its own.
    const streams = '-map 0 '.repeat(limit / 2)
    const record = await run(env.client, `-f lavfi -i anullsrc=d=1 ${streams} -f nut {{out_1}}`)
    expect(record).to.include({ status: 'FAILED', error_status: 'FFMPEG_FAILED', attempts: 1 })
    expect(record.error_message).to.match(
      /^FFmpeg needed more threads than the node allows its pod/,
    )
  })
})

function run(client: Client, command: string) {
  return submitAndWait(client, {
    input_files: {},
    output_files: { out_1: 'out.bin' },
    ffmpeg_command: command,
  })
}

/** Threads and processes of a pod on the first node, as its kubelet holds it; -1 = no limit. */
async function podPidsLimit(env: Environment): Promise<number> {
  const node = await env.kubectl('get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}')
  const answer = await env.kubectl('get', '--raw', `/api/v1/nodes/${node}/proxy/configz`)
  const { kubeletconfig } = JSON.parse(answer) as { kubeletconfig: { podPidsLimit: number } }
  return kubeletconfig.podPidsLimit
}
