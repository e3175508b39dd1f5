import { createServer } from 'node:http'
import { expect } from 'chai'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import { playerPage } from '../../testing/browser/player-page.ts'
import { isRecord } from '../../local-cluster/host/run-command.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import type { Listening } from '../../testing/support/http-server.ts'
import { environment, orSkip } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { playlistUrls } from '../steps/stored-outputs.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

const text = 'not a film, but ten bytes and more'

describe('a web page of another origin', () => {
  let env: Environment
  let site: Listening
  let manifest: string
  before(async function () {
    env = await environment(this)
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(playerPage)
    })
    site = await listenAt('127.0.0.1', server)
    manifest = await makePlaylist()
  })
  after(() => site?.close())

  describe('in Chromium', () => {
    let browser: Browser
    before(async function () {
      browser = await orSkip(this, () => launchBrowser((line) => console.log(`  ${line}`)))
      await browser.page.goto(site.url)
    })
    after(() => browser?.close())

    it('plays an HLS playlist from the storage to its end', async () => {
      const played = await call(browser, 'play', manifest)
      expect(played).to.include({ segments: 3, width: 160 })
      expect(played['seconds']).to.be.closeTo(3, 0.2)
      const urls = await playlistUrls(manifest)
      expect(browser.requested).to.include.members(urls)
      expect(browser.errors).to.deep.equal([])
    })

    it('reads a range of a file, and how long the whole is', async () => {
      const read = await call(browser, 'readRange', manifest)
      expect(read).to.deep.include({ status: 206, length: 10 })
      expect(read['range']).to.match(/^bytes 0-9\/\d+$/)
    })

    it('uploads a part by its presigned URL and reads the ETag that completes the upload', async () => {
      const { file_id, upload_urls } = await env.client.initUpload({
        filename: 'clip.mp4',
        size_bytes: text.length,
        is_private: true,
      })
      const { status, etag } = await call(browser, 'putPart', upload_urls[0], text)
      expect(status).to.equal(200)
      expect(etag).to.match(/^"[0-9a-f]{32}"$/)
      const parts = [{ part_number: 1, etag: String(etag) }]
      const { status: state } = await env.client.completeUpload(file_id, { parts })
      expect(state).to.equal('UPLOADED')
      await env.client.deleteFile(file_id)
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
