import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { createBucketCors } from '../../common/storage/bucket/bucket-cors.ts'
import { ruleFor } from '../../api-server/admin/storage/cors-rules.ts'
import { succeed } from '../../testing/support/api/outcomes.ts'
import { field } from '../../api-server/checked-call.fixture.ts'
import { dropFile } from '../../testing/browser/drop-file.ts'
import { useConsole } from './console.fixture.ts'
import { hideOutput, seedFiles } from './seed-files.fixture.ts'

describe('the page of files', () => {
  const at = useConsole()
  const file = (name: string) => at.page.getByRole('link', { name, exact: true })
  const button = (name: string | RegExp) => at.page.getByRole('button', { name, exact: true })
  const names = () => at.page.locator('.tile-name').allTextContents()
  const sheet = () => at.page.getByRole('dialog', { name: /./ })

  before(() => seedFiles(at.app, at.storage))

  it('the page of files is loaded when it is opened, and shows pictures of what browsers show', async () => {
    await at.open()
    const loaded = () => at.browser.requested.filter((url) => url.includes('files-page'))
    expect(loaded()).to.deep.equal([])
    await at.page.getByRole('link', { name: 'Files' }).click()
    await file('small.mp4').waitFor()
    expect(loaded()).to.have.length(1)
    await at.page.locator('.length', { hasText: '12 s' }).waitFor()
    await at.page.mouse.move(0, 0)
    await at.look('files-grid')
    at.expectSilence()
  })

  it('narrows the list by type, origin and time, and keeps that in its address', async () => {
    await button('Video').click()
    await at.page.waitForURL(/type=video/)
    await file('poster.png').waitFor({ state: 'detached' })
    await file('small.mp4').waitFor()
    expect(await names()).to.deep.equal(['small.mp4', 'a-name-that-is-longer-than-its-tile.mp4'])
    await at.page.getByLabel('Where files are from').selectOption('Uploads')
    await at.page.getByText('No file matches.').waitFor()
    await at.page.reload()
    await at.page.getByText('No file matches.').waitFor()
    await at.page.getByRole('link', { name: 'Clear filters' }).click()
    await button('Other').click()
    await file('small.mp4').waitFor({ state: 'detached' })
    await file('frames.zip').waitFor()
    expect(await names()).to.deep.equal(['frames.zip', 'chapters.srt'])
    await button('All').click()
    await file('clip.mov').waitFor()
    await button('List').click()
    await at.page.getByText('Waiting', { exact: true }).waitFor()
    await at.look('files-list')
    await button('Grid').click()
    at.expectSilence()
  })

  it('shows what a file is, saves it, and makes a URL of a private one for a while', async () => {
    await hideOutput(at.app, 'small.mp4')
    await at.page.reload()
    await file('small.mp4').click()
    await sheet().getByText('640x360').waitFor()
    await at.page.locator('.sheet video').waitFor()
    await at.page.getByLabel('How long the URL opens the file').selectOption('1 day')
    await button('Make a URL').click()
    const signed = at.page.getByRole('group', { name: 'Signed URL' })
    expect(await signed.textContent()).to.match(/small\.mp4\?signature=\d+$/)
    await at.look('files-sheet')
    const saving = at.page.waitForEvent('download')
    await button('Download').click()
    expect((await saving).suggestedFilename()).to.equal('small.mp4')
    await at.page.keyboard.press('Escape')
    await sheet().waitFor({ state: 'detached' })
    expect(at.page.url()).not.to.contain('open=')
    at.expectSilence()
  })

  it('takes files into the playground, by their plain URLs', async () => {
    for (const name of ['small.mp4', 'poster.png'])
      await at.page.getByLabel(`Select ${name}`).check()
    await at.look('files-selected')
    await button('Use in playground').click()
    await button('Take small.mp4 out of in_1').waitFor()
    await button('Take poster.png out of in_2').waitFor()
    expect(await at.page.locator('.code').textContent()).not.to.contain('signature')
    at.expectSilence()
  })

  it('shows new outputs as they come, and holds them back while files are chosen', async () => {
    await at.page.getByRole('link', { name: 'Files' }).click()
    await at.page.getByLabel('Select frames.zip').check()
    await at.page.mouse.move(0, 0)
    await succeed(at.app, await at.app.submit())
    await button('1 new').waitFor()
    expect(await names()).to.have.length(8)
    await at.page.getByLabel('Select frames.zip').uncheck()
    while ((await names()).length === 8);
    await button('1 new').waitFor({ state: 'detached' })
    await succeed(at.app, await at.app.submit())
    while ((await names()).length === 9);
    at.expectSilence()
  })

  it('deletes several files, and says which', async () => {
    for (const name of ['poster.png', 'film.m3u8'])
      await at.page.getByLabel(`Select ${name}`).check()
    await button('Delete 2 files').click()
    const dialog = at.page.getByRole('dialog', { name: 'Delete 2 files?' })
    expect(await dialog.textContent()).to.contain(
      'poster.png, film.m3u8 (22.5 MB) will be deleted. Their URLs stop working. A playlist goes with its segments.',
    )
    await at.look('files-delete')
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await button('Delete 2 files').click()
    await dialog.getByRole('button', { name: 'Delete 2 files' }).click()
    await file('poster.png').waitFor({ state: 'detached' })
    const left = await at.app.list('/v1/files?file_type=image,output_manifest')
    expect(left).to.deep.equal([])
    await file('frames.zip').click()
    await sheet().getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('button', { name: 'Delete 1 file' }).click()
    await sheet().waitFor({ state: 'detached' })
    await file('frames.zip').waitFor({ state: 'detached' })
    at.expectSilence()
  })

  it('goes from page to page by the last file', async () => {
    await at.page.mouse.move(0, 0)
    for (let count = 0; count < 50; count++) {
      const body = { file_url: `https://media.example/${count}.mov` }
      await at.app.post('/v1/files/store-file', body)
    }
    await file('49.mov').waitFor()
    await at.page.getByRole('link', { name: 'Older' }).click()
    await file('1.mov').waitFor()
    expect(await names())
      .to.include('0.mov')
      .and.not.to.include('2.mov')
    await at.page.getByRole('link', { name: 'Newest' }).click()
    await file('49.mov').waitFor()
    at.expectSilence()
  })

  it('says what appears here, where nothing does', async () => {
    await at.app.addAccount('new', 'pro', 'key-of-new')
    await at.page.evaluate('sessionStorage.clear()')
    await at.page.goto('about:blank')
    await at.open('files', 'key-of-new')
    await at.page.getByText('Outputs and uploads appear here.').waitFor()
    await at.look('files-empty')
    at.expectSilence()
  })
})

describe('uploads on the page of files', () => {
  const at = useConsole({ withBucket: true })
  let folder = ''
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'files-'))
    if (at.bucket === null) throw new Error('the test has no bucket')
    const cors = createBucketCors(at.bucket)
    await cors.replace([ruleFor(['*'])])
    cors.close()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('uploads begin by a drop, as private as the user wants, and are files then', async () => {
    await at.open('files')
    await at.page.getByText('Outputs and uploads appear here.').waitFor()
    await at.page.getByLabel('private').check()
    const name = path.join(folder, 'notes.txt')
    await writeFile(name, 'a text')
    await dropFile(at.page, name)
    await at.page.getByRole('link', { name: 'notes.txt' }).waitFor()
    await at.page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' })
    const [stored] = await at.app.list('/v1/files?kind=upload')
    expect(stored).to.include({ status: 'UPLOADED', is_private: true })
    await at.page.getByText('Analysing · private').waitFor()
    const [work] = await at.app.query<{ id: string }>(
      'fail',
      `update files set status = 'FAILED', error_status = 'INVALID_INPUT_FILE',
         error_message = 'The file is not media' where file_id = $1 returning file_id as id`,
      [field(stored, 'file_id')],
    )
    expect(work?.id).to.equal(field(stored, 'file_id'))
    await at.page.getByText('Failed · private').waitFor()
    await at.page.getByRole('link', { name: 'notes.txt' }).click()
    await at.page.getByText('The file is not media').waitFor()
    at.expectSilence()
  })
})
