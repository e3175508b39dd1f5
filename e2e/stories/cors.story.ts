import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect } from 'chai'
import express from 'express'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import { playerPage } from '../../testing/browser/player-page.ts'
import { readBlocks } from '../../testing/documents/read-blocks.ts'
import { isRecord } from '../../local-cluster/host/run-command.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import type { Listening } from '../../testing/support/http-server.ts'
import { environment, orSkip } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { playlistUrls } from '../steps/stored-outputs.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

const root = path.resolve(import.meta.dirname, '../..')
const text = 'not a film, but ten bytes and more'

describe('a web page of another origin', () => {
  let env: Environment
  let site: Listening
  let manifest: string
  before(async function () {
    env = await environment(this)
    manifest = await makePlaylist()
    site = await listenAt('127.0.0.1', createServer(await guidesServer()))
  })
  after(() => site?.close())

  describe('in Chromium', () => {
    let browser: Browser
    before(async function () {
      browser = await orSkip(this, () => launchBrowser((line) => console.log(`  ${line}`)))
      await browser.page.goto(site.url)
    })
    after(() => browser?.close())

    it('plays an HLS playlist from the storage to its end, as docs/hls.md says', async () => {
      expect(await played(browser, '/film')).to.deep.equal({ width: 160, seconds: 3 })
      expect(browser.requested).to.include.members(await playlistUrls(manifest))
      expect(browser.errors).to.deep.equal([])
    })

    it('plays a private ladder of HLS by a server of its own, as docs/hls.md says', async () => {
      const ladder = await makeLadder()
      expect((await fetch(ladder.storage_url ?? '')).status).to.equal(403)
      const film = await played(browser, `/private/${ladder.file_id}`)
      expect(film.seconds).to.equal(3)
      expect(film.width).to.be.oneOf([160, 320])
      expect(browser.errors).to.deep.equal([])
      await browser.page.goto(site.url)
    })

    it('reads a range of a file, and how long the whole is', async () => {
      const read = await call(browser, 'readRange', manifest)
      expect(read).to.deep.include({ status: 206, length: 10 })
      expect(read['range']).to.match(/^bytes 0-9\/\d+$/)
    })

    it('uploads a file by presigned URLs, as docs/uploads.md says, and reads the ETags that complete the upload', async () => {
      const upload = await env.client.initUpload({
        filename: 'clip.mp4',
        size_bytes: text.length,
        is_private: true,
      })
      const { parts } = await call(browser, 'upload', upload, text)
      expect(parts).to.be.an('array').with.length(1)
      const sent = parts as { part_number: number; etag: string }[]
      expect(sent[0]?.etag).to.match(/^"[0-9a-f]{32}"$/)
      const { status } = await env.client.completeUpload(upload.file_id, { parts: sent })
      expect(status).to.equal('UPLOADED')
      await env.client.deleteFile(upload.file_id)
    })
  })

  it('a web page is allowed by each answer of the storage, as the administration finds too', async () => {
    const headers = { Origin: site.url }
    for (const url of await playlistUrls(manifest)) {
      const answer = await fetch(url, { method: 'HEAD', headers })
      expect(answer.headers.get('access-control-allow-origin'), url).to.equal('*')
    }
    const admin = ['exec', 'deploy/cloud-ffmpeg-api-server', '--', 'node', 'main.ts', 'admin']
    const printed = await env.kubectl(...admin, 'storage', 'cors', '--check', '--json')
    const report: unknown = JSON.parse(printed)
    const checks = isRecord(report) && Array.isArray(report['checks']) ? report['checks'] : []
    expect(
      checks.map((check: unknown) => isRecord(check) && [check['what'], check['problem']]),
    ).to.deep.equal([
      ['upload', null],
      ['read', null],
    ])
  })

  it('the Job that allowed the web page has been removed by helm', async () => {
    const jobs = await env.kubectl('get', 'jobs', '-o', 'name')
    expect(jobs).not.to.contain('storage-cors')
  })

  /** Server of the guides' pages, with their part for private playlists; every other path is the page of scripts. */
  async function guidesServer() {
    const read = async (name: string) =>
      readBlocks(await readFile(path.join(root, 'docs', name), 'utf8'))
    const [blocks, ofUploads] = await Promise.all([read('hls.md'), read('uploads.md')])
    const block = (language: string) => blocks.find((one) => one.language === language)?.text ?? ''
    const sendParts = ofUploads.find((one) => one.text.includes('function sendParts'))?.text
    const server = express()
    const send = (file: string) => (_request: unknown, response: express.Response) =>
      response.sendFile(path.join(root, file))
    server.get('/hls.min.js', send('node_modules/hls.js/dist/hls.min.js'))
    const film = (url: string) => `<base href="/">${block('html').replace('STORAGE_URL', url)}`
    server.get('/uploads.mjs', (_request, response) => response.type('js').send(sendParts))
    server.get('/film', (_request, response) => response.send(film(manifest)))
    server.get('/private/:id', (request, response) =>
      response.send(film(`/watch/${request.params.id}/film.m3u8`)),
    )
    const code = `export default (app, process) => {${block('js')}}`
    const { default: addTo } = (await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    )) as { default: (app: express.Express, process: object) => void }
    const { url: CLOUD_FFMPEG_URL, apiKey: CLOUD_FFMPEG_API_KEY } = env.installed
    addTo(server, { env: { CLOUD_FFMPEG_URL, CLOUD_FFMPEG_API_KEY } })
    return server.use((_request, response) => response.type('html').send(playerPage))
  }

  /** Plays the film of a page of this site to its end. */
  async function played({ page }: Browser, below: string) {
    await page.goto(new URL(below, site.url).href)
    await page.evaluate('document.querySelector("video").play()')
    while (!(await page.evaluate('document.querySelector("video").ended')));
    return page.evaluate<{ width: number; seconds: number }>(
      '(({ videoWidth, currentTime }) => ({ width: videoWidth, seconds: Math.round(currentTime) }))(document.querySelector("video"))',
    )
  }

  async function makeLadder() {
    const record = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_playlist_1: 'film.m3u8' },
      ffmpeg_command:
        '-f lavfi -i testsrc2=size=320x240:rate=25:duration=3 -filter_complex "[0:v]format=yuv420p,split[a][b];[b]scale=160:120[c]" -map [a] -map [c] -c:v libx264 -g 25 -f hls -hls_time 1 -hls_playlist_type vod -master_pl_name {{out_playlist_1}} -var_stream_map "v:0 v:1" v%v/part.m3u8',
      is_private: true,
    })
    expect(record.error_message).to.equal(null)
    const file = record.output_files?.['out_playlist_1']
    if (file === undefined) throw new Error('the command stored no playlist')
    return file
  }

  async function makePlaylist(): Promise<string> {
    const record = await submitAndWait(env.client, {
      input_files: {},
      output_files: { out_playlist_1: 'index.m3u8' },
      ffmpeg_command:
        '-f lavfi -i testsrc2=size=160x120:rate=25:duration=3 -c:v libx264 -profile:v baseline -pix_fmt yuv420p -g 25 -f hls -hls_time 1 -hls_playlist_type vod -hls_segment_type fmp4 {{out_playlist_1}}',
    })
    expect(record.error_message).to.equal(null)
    return record.output_files?.['out_playlist_1']?.storage_url ?? ''
  }
})

async function call(
  { page }: Browser,
  name: string,
  ...args: unknown[]
): Promise<Record<string, unknown>> {
  const answer: unknown = await page.evaluate(`${name}(...${JSON.stringify(args)})`)
  if (!isRecord(answer)) throw new Error(`${name} returned ${String(answer)}`)
  return answer
}
