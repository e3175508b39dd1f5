import { expect } from 'chai'
import { succeed } from '../../testing/support/api/outcomes.ts'
import { until } from '../../testing/support/until.ts'
import { useConsole } from './console.fixture.ts'
import { filesByFFmpeg } from './storage.fixture.ts'

describe('previews of outputs', () => {
  const at = useConsole()
  const player = () => at.page.locator('video.preview')

  /** A command whose output is the object with this name. */
  async function outputOf(name: string, isPrivate = false): Promise<string> {
    const id = await at.app.submit({ output_files: { out_1: 'small.mp4' } })
    await succeed(at.app, id)
    const key = `public/${id}/${name}`
    const update = 'update files set key = $2, is_private = $3 where command_id = $1'
    await at.app.query('name', update, [id, key, isPrivate])
    return id
  }
  function store(id: string, files: ReadonlyMap<string, Uint8Array>): void {
    for (const [name, bytes] of files) at.storage.objects.set(`public/${id}/${name}`, bytes)
  }
  const plays = async () => {
    while (!(await at.page.evaluate('document.querySelector("video")?.currentTime > 0.3')));
  }
  let playlistId = ''

  it('previews play HLS by the browser itself, without CORS', async () => {
    playlistId = await outputOf('film.m3u8')
    store(playlistId, await playlist())
    await at.open(`commands/${playlistId}`)
    await player().waitFor()
    await at.page.evaluate('document.querySelector("video").play()')
    await plays()
    await at.look('playlist')
    at.expectSilence()
  })

  it('previews play HLS by hls.js where the browser does not, loaded when the user plays', async () => {
    await at.page.addInitScript('HTMLMediaElement.prototype.canPlayType = () => ""')
    const loaded = at.browser.requested.length
    at.storage.allowsPages = true
    await at.page.reload()
    const button = at.page.getByRole('button', { name: 'Play film.m3u8' })
    await button.waitFor()
    await at.look('play')
    expect(at.browser.requested.slice(loaded).join()).not.to.contain('hls-library')
    await button.click()
    await plays()
    expect(at.browser.requested.slice(loaded).join()).to.contain('hls-library')
    at.expectSilence()
  })

  it('previews say how scripts may read a storage that forbids it', async () => {
    at.storage.allowsPages = false
    await at.page.reload()
    await at.page.getByRole('button', { name: 'Play film.m3u8' }).click()
    await at.page.getByText('Your storage does not allow this page (CORS)').waitFor()
    await at.page.getByText(`admin storage cors --origin ${new URL(at.app.url).origin}`).waitFor()
    await at.look('storage-refuses')
    // Chromium reports each request that CORS forbids.
    expect(at.browser.errors.splice(0).join()).to.contain('CORS')
    at.expectSilence()
  })

  it('previews draw the waveform of a sound on request', async () => {
    const id = await outputOf('voice.mp3')
    store(id, await filesByFFmpeg(['-f', 'lavfi', '-i', 'sine=d=2'], 'voice.mp3'))
    await at.open(`commands/${id}`)
    at.storage.allowsPages = true
    await at.page.getByRole('button', { name: 'Show the waveform' }).click()
    const path = at.page.getByRole('img', { name: 'Waveform' }).locator('path')
    await path.waitFor()
    expect(await path.getAttribute('d')).to.match(/^(M[\d.]+ [\d.]+V[\d.]+){400}$/)
    await at.look('sound')
    at.expectSilence()
  })

  it('previews play a private playlist, whose segments the service presigns, and show why it refuses one', async () => {
    const secret = await outputOf('film.m3u8', true)
    store(secret, await playlist())
    at.storage.allowsPages = true
    await at.open(`commands/${secret}`)
    await at.page.getByRole('button', { name: 'Play film.m3u8' }).click()
    await plays()
    store(secret, new Map([['film.m3u8', Buffer.from('segment.ts\n'.repeat(400_000))]]))
    await at.page.reload()
    await at.page.getByRole('button', { name: 'Play film.m3u8' }).click()
    await at.page.getByText('The playlist names more than 10000 files').waitFor()
    await at.look('playlist-refused', ['phone', 'desktop'])
    expect(at.browser.errors.splice(0).join()).to.contain('409')
    at.expectSilence()
  })

  it('previews make a preview of what browsers do not play', async () => {
    const id = await outputOf('film.avi')
    await at.open(`commands/${id}`)
    await at.page.getByText('Browsers do not play this format.').waitFor()
    await at.look('no-preview')
    await at.page.getByRole('button', { name: 'Make a preview' }).click()
    await at.page.waitForURL((url) => !url.href.includes(id))
    const made = await at.app.record(`/v1/commands/${at.page.url().split('/').at(-1)}`)
    expect(made['original_request']).to.deep.include({
      input_files: { in_1: `${at.storage.url}/public/${id}/film.avi` },
      output_files: { out_1: 'preview.mp4' },
    })
    at.expectSilence()
  })

  it('previews renew the URLs of private files before they expire', async () => {
    const id = await outputOf('still.png', true)
    await at.page.clock.install()
    await at.open(`commands/${id}`)
    const picture = at.page.getByRole('img', { name: 'still.png' })
    await picture.waitFor()
    const first = await picture.getAttribute('src')
    expect(first).to.match(/\?signature=\d+$/)
    await at.page.clock.fastForward(721_000)
    while ((await picture.getAttribute('src')) === first);
    at.expectSilence()
  })

  it('the list of commands shows pictures once their commands end, without moving the words of others', async () => {
    const submit = (name: string) => at.app.submit({ output_files: { out_1: name } })
    const [plain, image, film] = [
      await submit('a.mp3'),
      await submit('poster.png'),
      await submit('clip.mp4'),
    ]
    const source = ['-f', 'lavfi', '-i', 'testsrc2=d=1:s=320x180', '-pix_fmt', 'yuv420p']
    store(film, await filesByFFmpeg(source, 'clip.mp4'))
    await at.open()
    const row = (id: string) => at.page.locator(`tr[data-id="${id}"]`)
    await row(film).waitFor()
    const left = async () => (await row(plain).getByRole('link').boundingBox())?.x
    const before = await left()
    await succeed(at.app, image, 'poster.png')
    await succeed(at.app, film, 'clip.mp4')
    const [width, frame] = [
      `document.querySelector('tr[data-id="${image}"] img')?.naturalWidth`,
      `document.querySelector('tr[data-id="${film}"] video')?.videoWidth`,
    ]
    await until(async () => (await at.page.evaluate(width)) === 4)
    await until(async () => (await at.page.evaluate(frame)) === 320)
    expect(await row(image).locator('img').getAttribute('alt')).to.equal('')
    expect(await left()).to.equal(before)
    await at.look('rows-with-pictures')
    await at.app.remove(`/v1/commands/${image}/files`)
    await at.page.reload()
    await row(image).getByText('Done').waitFor()
    for (const id of [plain, image]) {
      expect(await row(id).locator('img, video').count()).to.equal(0)
    }
    at.expectSilence()
  })
})

/** Two segments of two seconds. */
function playlist(): Promise<Map<string, Uint8Array>> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=4']
  const sound = ['-f', 'lavfi', '-i', 'sine=d=4', '-c:a', 'aac']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50']
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod']
  return filesByFFmpeg([...picture, ...sound, ...video, ...hls], 'film.m3u8')
}
