import { expect } from 'chai'
import { createServer } from 'node:http'
import { exifOf, jpegWithExif } from '../../testing/ffmpeg/compose-exif.ts'
import { codedPicture, composeHeif } from '../../testing/ffmpeg/compose-heif.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import { useEnvironment } from '../steps/environment.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

const picture = '-f lavfi -i testsrc2=d=1:s=128x96 -frames:v 1'

describe('pictures of phones, sounds and texts', () => {
  const env = useEnvironment()
  const servers: (() => unknown)[] = []
  after(() => Promise.all(servers.map((close) => close())))

  it('pictures are converted as a whole where a phone has written them as tiles', async () => {
    const tile = await made('-c:v libx265 -x265-params log-level=error', 'tile.mp4')
    const coded = codedPicture(tile)
    const heic = composeHeif({
      brand: 'heic',
      pictures: [coded, coded, coded, coded],
      columns: 2,
      tile: [128, 96],
      size: [250, 190],
    })
    const record = await run('-i {{in_1}} {{out_1}}', 'whole.jpg', await serve('a.heic', heic))
    expect(record.warnings).to.deep.equal([])
    expect(record.output_files?.['out_1']).to.include({ width: 250, height: 190 })
  })

  it('pictures are converted as a camera was held', async () => {
    const jpeg = jpegWithExif(await made('', 'upright.jpg'), exifOf(6))
    const record = await run('-i {{in_1}} {{out_1}}', 'turned.png', await serve('a.jpg', jpeg))
    expect(record.output_files?.['out_1']).to.include({ width: 96, height: 128 })
  })

  it('sounds are known in a container of films, with the length that was counted', async () => {
    const tone = '-f lavfi -i sine=d=4 {{out_1}}'
    const film = (await run(tone, 'tone.mp4')).output_files?.['out_1']
    expect(film).to.include({ file_type: 'audio', mime_type: 'audio/mp4' })
    const bare = (await run(tone, 'tone.aac')).output_files?.['out_1']
    expect(bare?.duration).to.be.within(3.9, 4.1)
  })

  it('subtitles have the letters of all scripts', async () => {
    const words = '1\n00:00:00,000 --> 00:00:01,000\n日本語 한국어 中文 مرحبا שלום ภาษา 🚀\n'
    const url = await serve('a.srt', Buffer.from(words))
    const record = await run(`${picture} -vf subtitles={{in_1}} {{out_1}}`, 'burnt.png', url)
    expect(record).to.deep.include({ status: 'SUCCESS', warnings: [] })
  })

  async function made(options: string, name: string): Promise<Buffer> {
    const record = await run(`${picture} ${options} {{out_1}}`, name)
    const answer = await fetch(record.output_files?.['out_1']?.storage_url ?? '')
    return Buffer.from(await answer.arrayBuffer())
  }

  async function serve(name: string, bytes: Buffer): Promise<string> {
    const server = createServer((_request, response) => response.end(bytes))
    const { url, close } = await listenAt(env.cluster.hostAddress, server)
    servers.push(close)
    return `${url}/${name}`
  }

  async function run(command: string, name: string, url?: string) {
    const record = await submitAndWait(env.client, {
      input_files: url === undefined ? {} : { in_1: url },
      output_files: { out_1: name },
      ffmpeg_command: command,
    })
    expect(record.status, record.error_message ?? '').to.equal('SUCCESS')
    return record
  }
})
