import { expect } from 'chai'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { listenAt } from '../../testing/support/http-server.ts'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { newAccount } from '../steps/new-account.ts'
import { startReceiver } from '../steps/receiver.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('a command that ends with 0, and not as meant', () => {
  const env = useEnvironment()

  it('says in record, webhook and object what was damaged', async () => {
    const damaged = await readFile(path.join(env.folder, 'clip.mp4'))
    for (const part of [0.3, 0.4, 0.5, 0.6, 0.7]) {
      const at = Math.floor(damaged.length * part)
      damaged.fill(0xee, at, at + 2_000)
    }
    const server = createServer((_request, response) => response.end(damaged))
    const { url, close } = await listenAt(env.cluster.hostAddress, server)
    const receiver = await startReceiver(env.cluster.hostAddress, [204])
    try {
      const { client } = await newAccount(env, 'pro')
      const record = await submitAndWait(client, {
        input_files: { in_1: `${url}/clip.mp4` },
        output_files: { out_1: 'a.mp4' },
        ffmpeg_command: '-i {{in_1}} -vf scale=160:-2 {{out_1}}',
        webhook_url: receiver.url,
      })
      expect(record.status).to.equal('SUCCESS')
      expect(record.warnings.map(({ code, alias }) => [code, alias])).to.deep.equal([
        ['DAMAGED_INPUT', 'in_1'],
      ])
      await eventually('the webhook has arrived', async () => receiver.calls.length === 1)
      const event = JSON.parse(receiver.calls[0]?.body ?? '') as { data: typeof record }
      expect(event.data.warnings).to.deep.equal(record.warnings)
      const message = await eventually('the object shows its end', async () => {
        const objects = await env.kubectl('get', 'ffc', '-A', '-o', 'json')
        const { items } = JSON.parse(objects) as {
          items: { metadata: { name: string }; status?: { message?: string } }[]
        }
        const own = items.find(({ metadata }) => metadata.name.includes(record.command_id))
        return own?.status?.message?.includes('All outputs are stored') && own.status.message
      })
      expect(message).to.contain('DAMAGED_INPUT: in_1 is damaged')
    } finally {
      await receiver.close()
      await close()
    }
  })

  it('says that Apple refuses the tag of its HEVC, and that a playlist lacks its segments', async () => {
    const hevc = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_1: 'a.mp4' },
      ffmpeg_command: '-f lavfi -i testsrc2=s=128x96:d=1 -c:v libx265 {{out_1}}',
    })
    expect(hevc.warnings.map(({ code, alias }) => [code, alias])).to.deep.equal([
      ['HEVC_TAG', 'out_1'],
    ])
    const playlist = await submitAndWait(env.client, {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_playlist_1: 'a.m3u8' },
      ffmpeg_command:
        '-i {{in_1}} -t 2 -c copy -f hls -hls_segment_filename seg/s_%03d.ts {{out_playlist_1}}',
    })
    expect(playlist.warnings.map(({ code, alias }) => [code, alias])).to.deep.equal([
      ['MISSING_SEGMENTS', 'out_playlist_1'],
    ])
  })
})
