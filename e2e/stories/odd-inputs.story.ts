import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { oversizedPng } from '../../testing/attacks/sandbox/oversized-png.ts'
import {
  compresses,
  ignoresRanges,
  onceOnly,
  oneConnection,
  redirectsTo,
} from '../../testing/runner/odd-servers.ts'
import type { OriginHandler } from '../../testing/runner/fetch-fixture.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import { useEnvironment } from '../steps/environment.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('an input from a server as people meet it', () => {
  const env = useEnvironment()
  const servers: (() => unknown)[] = []
  after(() => Promise.all(servers.map((close) => close())))

  const copy = '-i {{in_1}} -t 0.5 -c copy {{out_1}}'

  it('an input may have the path of its object in one segment', async () => {
    const clip = await sample('clip.mp4')
    const url = await serve((_request, response) => response.end(clip))
    const record = await run(`${url}/v0/b/app/o/clips%2Fsummer.mp4?alt=media`, copy)
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
  })

  const behaviours: [string, (file: Buffer) => OriginHandler][] = [
    ['announces ranges and answers with the whole file', ignoresRanges],
    ['allows one connection', (file) => oneConnection(file, 503)],
    ['gives a link that works once', (file) => onceOnly(file, 404)],
    ['redirects in UTF-8', (file) => redirectsTo(Buffer.from('/größe.mp4'), file)],
  ]
  for (const [name, behaviour] of behaviours) {
    it(`an input comes from a server that ${name}`, async () => {
      const url = await serve(behaviour(large(await sample('clip.mp4'))))
      const record = await run(`${url}/start`, copy)
      expect(record).to.include({ status: 'SUCCESS', error_message: null })
    })
  }

  it('an input is unpacked where its server compresses subtitles', async () => {
    const subtitles = '1\n00:00:00,000 --> 00:00:01,000\nHello\n'
    const url = await serve(compresses(Buffer.from(subtitles), 'gzip'))
    const record = await run(`${url}/a.srt`, '-i {{in_1}} {{out_1}}', 'a.vtt')
    expect(record.status).to.equal('SUCCESS')
    const answer = await fetch(record.output_files?.['out_1']?.storage_url ?? '')
    expect(await answer.text()).to.contain('Hello')
  })

  it('an input is named by its header behind a script', async () => {
    const identity = ['LUT_3D_SIZE 2', ...corners].join('\n')
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/download.php') === true) {
        response.setHeader('content-disposition', 'attachment; filename=warm look.cube')
        response.end(identity)
      } else response.writeHead(404).end()
    })
    const command = '-f lavfi -i color=s=64x64:d=0.2 -vf lut3d={{in_1}} {{out_1}}'
    const record = await run(`${url}/download.php?id=4`, command)
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
  })

  it('an input may be an archive of a Windows tool with a common folder', async () => {
    const zip = new ZipFile()
    zip.addBuffer(await sample('clip.mp4'), 'clips__a.mp4')
    zip.addBuffer(Buffer.from('x'), 'Thumbs.db')
    zip.end()
    const bytes = await buffer(zip.outputStream)
    const text = bytes.toString('latin1').replaceAll('clips__', 'clips\\_')
    const url = await serve((_request, response) => response.end(Buffer.from(text, 'latin1')))
    const record = await submitAndWait(env.client, {
      input_compressed_folder: `${url}/clips.zip`,
      output_files: { out_1: 'out.mp4' },
      ffmpeg_command: '-i _a.mp4 -t 0.5 -c copy {{out_1}}',
    })
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
  })

  it('says which picture is too large', async () => {
    const url = await serve((_request, response) => response.end(oversizedPng(20_000)))
    const record = await run(`${url}/poster.png`, '-i {{in_1}} {{out_1}}', 'small.jpg')
    expect(record.error_status).to.equal('INPUT_TOO_LARGE')
    expect(record.error_message).to.match(
      /pixels \(\d+ million\); one picture may have \d+ million/,
    )
  })

  it('gives an empty text where an analysis finds nothing', async () => {
    const command = '-i {{in_1}} -vf metadata=print:key=lavfi.none:file={{out_1}} -f null -'
    const record = await run(env.origin.url('clip.mp4'), command, 'found.txt')
    expect(record).to.include({ status: 'SUCCESS', error_message: null })
    expect(record.output_files?.['out_1']?.size_mbytes).to.equal(0)
  })

  async function serve(handler: OriginHandler): Promise<string> {
    const server: Server = createServer((request, response) => void handler(request, response))
    const { url, close } = await listenAt(env.cluster.hostAddress, server)
    servers.push(close)
    return url
  }

  async function run(url: string, command: string, name = 'out.mp4') {
    return submitAndWait(env.client, {
      input_files: { in_1: url },
      output_files: { out_1: name },
      ffmpeg_command: command,
    })
  }

  function sample(name: string): Promise<Buffer> {
    return readFile(path.join(env.folder, name))
  }
})

/** The corners of a colour table that changes nothing. */
const corners = Array.from({ length: 8 }, (_, index) =>
  [index & 1, (index >> 1) & 1, (index >> 2) & 1].join(' '),
)

/** The film with an empty box behind it, so that it is fetched in ranges. */
function large(film: Buffer): Buffer {
  const box = Buffer.alloc(20 * 1024 * 1024)
  box.writeUInt32BE(box.length)
  box.write('free', 4)
  return Buffer.concat([film, box])
}
