import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { createObjectStore } from '../../common/storage/create-object-store.ts'
import { createBucketCors } from '../../common/storage/bucket/bucket-cors.ts'
import { ruleFor } from '../../api-server/admin/storage/cors-rules.ts'
import { dropFile } from '../../testing/browser/drop-file.ts'
import { until } from '../../testing/support/until.ts'
import { useConsole } from './console.fixture.ts'
import type { Route } from 'playwright-core'

const mebibyte = 1_048_576
/** The console's part size. */
const partBytes = 8 * mebibyte

describe('uploads in the playground', () => {
  const at = useConsole({ withBucket: true })
  let folder = ''
  /** Part numbers of the requests that were sent, in their order. */
  const sentParts: number[] = []

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'uploads-'))
    at.page.on('request', (request) => {
      const part = new URL(request.url()).searchParams.get('partNumber')
      if (part !== null && request.method() === 'PUT') sentParts.push(Number(part))
    })
    await at.open('playground')
    await at.page.getByRole('heading', { name: 'Playground' }).waitFor()
  })
  beforeEach(() => at.page.getByRole('button', { name: 'Clear' }).click())
  after(() => rm(folder, { recursive: true, force: true }))

  const partsPattern = /[?&]partNumber=/
  const make = async (name: string, sizeBytes: number) => {
    const content = randomBytes(sizeBytes)
    const file = path.join(folder, name)
    await writeFile(file, content)
    return { file, hash: createHash('sha256').update(content).digest('hex') }
  }
  const allow = async () => {
    if (at.bucket === null) throw new Error('there is no bucket')
    const cors = createBucketCors(at.bucket)
    await cors.replace([ruleFor(['*'])])
    cors.close()
  }
  const drop = (file: string) => dropFile(at.page, file)
  const storedHash = async (name: string): Promise<string> => {
    if (at.bucket === null) throw new Error('there is no bucket')
    const [file] = (await at.app.list('/v1/files')).filter(
      (one) => one['original_file_url'] === name && one['status'] === 'UPLOADED',
    )
    const { pathname } = new URL(String(file?.['storage_url']))
    const objects = createObjectStore(at.bucket)
    const key = decodeURIComponent(pathname.slice(`/${at.bucket.bucket}/`.length))
    const url = await objects.presignGet({ key, expiresSeconds: 60, endpoint: 'public' })
    objects.close()
    const answer = await fetch(url)
    expect(answer.status).to.equal(200)
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex')
  }
  const chosen = (name: string, alias: string) =>
    at.page.getByRole('button', { name: `Take ${name} out of ${alias}` })

  it('says that the storage refuses the page, and what an administrator can do', async () => {
    const { file } = await make('refused.mov', mebibyte)
    await drop(file)
    await at.page.getByText('Your storage does not allow this page (CORS).').waitFor()
    const command = at.page.getByLabel('Command for an administrator')
    expect(await command.textContent()).to.contain(
      `admin storage cors --origin ${new URL(at.app.url).origin}`,
    )
    await at.look('upload-refused')
    // Chromium reports each request that CORS has refused.
    expect(at.browser.errors.splice(0).join()).to.contain('CORS policy')
    await allow()
    await at.page.getByRole('button', { name: 'Try again' }).click()
    await chosen('refused.mov', 'in_1').waitFor()
    at.expectSilence()
  })

  it('brings a file of 100 MB to the storage by a drop, and its URL into the command', async () => {
    const { file, hash } = await make('film.mov', 100 * mebibyte)
    sentParts.length = 0
    await drop(file)
    await at.page.getByRole('progressbar', { name: 'Upload of film.mov' }).waitFor()
    await chosen('film.mov', 'in_1').waitFor()
    expect(sentParts.toSorted((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 13 }, (_, index) => index + 1),
    )
    const [found] = await at.app.list('/v1/files')
    expect(found).to.include({ original_file_url: 'film.mov', size_mbytes: 100 })
    expect(await storedHash('film.mov')).to.equal(hash)
    at.expectSilence()
  })

  it('pauses, and goes on with the parts that are missing', async () => {
    const { file, hash } = await make('paused.mov', 4 * partBytes)
    sentParts.length = 0
    const held = await holdFrom(3)
    await drop(file)
    await at.page.getByText('50 %').waitFor()
    await held.until(2)
    await at.look('upload-running')
    await at.page.getByRole('button', { name: 'Pause', exact: true }).click()
    await at.page.getByText('Paused at 50 %').waitFor()
    await held.release()
    await at.page.getByRole('button', { name: 'Resume' }).click()
    await chosen('paused.mov', 'in_1').waitFor()
    expect(sentParts.toSorted((a, b) => a - b)).to.deep.equal([1, 2, 3, 3, 4, 4])
    expect(await storedHash('paused.mov')).to.equal(hash)
    at.expectSilence()
  })

  it('an upload goes on after a reload when the file is dropped again', async () => {
    const { file, hash } = await make('interrupted.mov', 4 * partBytes)
    sentParts.length = 0
    const held = await holdFrom(3)
    await drop(file)
    await at.page.getByText('50 %').waitFor()
    await held.until(2)
    await at.page.reload()
    await held.release()
    await at.page.getByText('50 % is stored. Drop this file again to go on').waitFor()
    await at.look('upload-interrupted')
    await drop(file)
    await chosen('interrupted.mov', 'in_1').waitFor()
    expect(sentParts.toSorted((a, b) => a - b)).to.deep.equal([1, 2, 3, 3, 4, 4])
    expect(await storedHash('interrupted.mov')).to.equal(hash)
    at.expectSilence()
  })

  it('uploads privately where the outputs are private, when it goes on as well', async () => {
    const { file } = await make('secret.mov', 2 * partBytes)
    const held = await holdFrom(1)
    await at.page.getByText('Options', { exact: true }).click()
    await at.page.getByLabel('Private: only presigned URLs open the files').check()
    await drop(file)
    await held.until(2)
    await at.page.getByRole('button', { name: 'Pause', exact: true }).click()
    await held.release()
    const [begun] = await at.app.list('/v1/files?limit=1')
    await at.app.call(`/v1/files/${String(begun?.['file_id'])}/abort-upload`, { method: 'POST' })
    await at.page.getByRole('button', { name: 'Resume' }).click()
    await chosen('secret.mov', 'in_1').waitFor()
    const [ended] = await at.app.list('/v1/files?limit=1')
    expect(ended).to.include({ original_file_url: 'secret.mov', is_private: true })
    expect(ended?.['file_id']).not.to.equal(begun?.['file_id'])
    at.expectSilence()
  })

  it('sends a part again that did not arrive', async () => {
    const { file, hash } = await make('broken.mov', 2 * partBytes)
    const held = await holdFrom(2)
    await drop(file)
    await held.until(1)
    await held.break()
    await at.page.getByText('Part 2 did not arrive and is sent again').waitFor()
    await held.until(1)
    await held.release()
    await chosen('broken.mov', 'in_1').waitFor()
    expect(await storedHash('broken.mov')).to.equal(hash)
    expect(at.browser.errors.splice(0).join()).to.contain('ERR_CONNECTION_RESET')
  })

  it('runs the command once its file is uploaded', async () => {
    const { file } = await make('waited.mov', 4 * partBytes)
    const held = await holdFrom(3)
    await drop(file)
    await at.page
      .getByRole('textbox', { name: 'Command', exact: true })
      .fill('-i {{in_1}} -c copy {{out_1}}')
    await at.page.getByText('50 %').waitFor()
    await at.page.getByRole('button', { name: 'Run', exact: true }).click()
    await at.page.getByText('Runs as soon as waited.mov is uploaded').waitFor()
    expect(await at.app.list('/v1/commands')).to.have.length(0)
    await held.release()
    await at.page.getByRole('region', { name: 'Result' }).getByText('Queued').waitFor()
    const [command] = await at.app.list('/v1/commands?expand=request')
    const { original_request: sent } = await at.app.record(
      `/v1/commands/${String(command?.['command_id'])}`,
    )
    const url = (sent as { input_files: Record<string, string> }).input_files['in_1']
    expect(url).to.match(/waited\.mov$/)
    at.expectSilence()
  })

  it('discards an upload, in the storage too, and forgets all when signed out', async () => {
    const { file } = await make('discarded.mov', 4 * partBytes)
    const held = await holdFrom(2)
    await drop(file)
    await at.page.getByText('25 %').waitFor()
    await at.page.getByRole('button', { name: 'Discard discarded.mov' }).click()
    await at.page.getByLabel('URL of in_1').waitFor()
    await held.release()
    await until(() =>
      at.page.evaluate(
        `indexedDB.databases().then((all) => all.some(({ name }) => name.startsWith('cloud-ffmpeg')))`,
      ),
    )
    const [aborted] = (await at.app.list('/v1/files')).filter(
      (one) => one['original_file_url'] === 'discarded.mov',
    )
    expect(aborted).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
    await at.page.getByRole('button', { name: 'first', exact: true }).click()
    await at.page.getByRole('button', { name: 'Sign out of all keys' }).click()
    await at.page.getByLabel('Paste an API key').waitFor()
    await until(() => at.page.evaluate(`indexedDB.databases().then((all) => all.length === 0)`))
    expect(await at.page.evaluate('JSON.stringify({ ...sessionStorage })')).to.equal('{}')
  })

  /** Holds the requests of parts from this number on. */
  async function holdFrom(first: number) {
    const held: Route[] = []
    let changed = () => undefined as void
    const hold = async (route: Route) => {
      const part = Number(new URL(route.request().url()).searchParams.get('partNumber'))
      if (part < first || route.request().method() !== 'PUT') return route.continue()
      held.push(route)
      changed()
    }
    await at.page.route(partsPattern, hold)
    return {
      async until(count: number): Promise<void> {
        while (held.length < count) await new Promise<void>((resolve) => (changed = resolve))
      },
      /** Ends those that are held, as a connection that breaks does. */
      async break(): Promise<void> {
        await Promise.all(held.splice(0).map((route) => route.abort('connectionreset')))
      },
      async release(): Promise<void> {
        await at.page.unroute(partsPattern, hold)
        await Promise.all(held.map((route) => route.continue().catch(() => undefined)))
      },
    }
  }
})
