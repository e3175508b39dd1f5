import { expect } from 'chai'
import { markedLine } from '../../common/domain/log-levels.ts'
import { chain } from '../../api-server/contract/the-calls.fixture.ts'
import { fail, start, succeed, withoutReport } from '../../testing/support/api/outcomes.ts'
import { unknownId } from '../../testing/support/api/app.ts'
import { processing, writeLog } from './seed-commands.fixture.ts'
import { queuedStep } from '../../testing/store-contract/fixtures.ts'
import { useConsole } from './console.fixture.ts'
import type { Locator } from 'playwright-core'

describe('the page of a command', () => {
  const at = useConsole()

  /** Whether a line of the log is in the part that its box shows. */
  const seen = async (line: Locator) => {
    const [own, box] = [await line.boundingBox(), await at.page.getByRole('log').boundingBox()]
    if (own === null || box === null) return false
    return own.y >= box.y && own.y + own.height <= box.y + box.height
  }

  it('marks in the command what FFmpeg refused, and says whose fault it is and what to do', async () => {
    const command = '-i {{in_1}} -vf scal=-2:480 {{out_1}}'
    const id = await at.app.submit({ ffmpeg_command: command })
    const attempt = await start(at.app, id)
    const before = Array.from({ length: 60 }, (_, index) => `before ${index}\n`).join('')
    const after = before.replaceAll('before', 'after')
    const wrong = `${markedLine('error', "[AVFilterGraph] No such filter: 'scal'")}\n`
    await writeLog(at.app, id, attempt, 0, `Input #0, avi\n${before}${wrong}${after}`)
    const errorMessage = "FFmpeg refused the command: [AVFilterGraph] No such filter: 'scal'"
    const outcome = { status: 'FAILED', errorStatus: 'INVALID_COMMAND', errorMessage } as const
    await at.app.store.commitOutcome(withoutReport(id, attempt, outcome))
    await at.open(`commands/${id}`)
    const card = at.page.getByRole('region', { name: 'Error' })
    await card.getByText('INVALID_COMMAND').waitFor()
    expect(await card.locator('mark').textContent()).to.equal('scal')
    expect(await card.locator('.marked').textContent()).to.equal(command)
    expect(await card.textContent()).to.match(
      /Correct the command.*your command; running it again changes nothing/,
    )
    const line = at.page.getByRole('log').locator('.line.error')
    await line.waitFor()
    while (!(await seen(line)));
    expect(await line.textContent()).to.contain("No such filter: 'scal'")
    await at.look('failed')
    at.expectSilence()
  })

  it('folds steps and statistics, colours levels, and opens the line of a link', async () => {
    const answer = await at.app.post('/v1/run-chained-ffmpeg-commands', chain)
    const { command_id: id } = answer.body as { command_id: string }
    const attempt = await start(at.app, id)
    const statistics = (frame: number) =>
      `frame=${frame} fps=25 size=${frame}KiB time=00:00:0${frame}.00 speed=1x\n`
    const first = `one\n${statistics(1)}${markedLine('warning', 'odd')}\n${statistics(2)}`
    const second = `${markedLine('error', 'a cause of its own')}\n`
    const steps = (done: boolean) => [
      {
        ...queuedStep,
        status: 'SUCCESS' as const,
        ffmpeg_command_run_seconds: 12.5,
        index: 0,
      },
      { ...queuedStep, index: 1, status: done ? ('FAILED' as const) : ('PROCESSING' as const) },
    ]
    await at.app.store.storeProgress({
      ...processing,
      commandId: id,
      attempt,
      progressPercent: 42,
      steps: steps(false),
      logs: [first, second].map((text, step) => ({ step, sequence: step, text })),
    })
    await at.open(`commands/${id}`)
    const log = at.page.getByRole('log')
    await log.getByText('a cause of its own').waitFor()
    expect(await log.locator('details[open]').count()).to.equal(1)
    await log.getByText('Step 1').click()
    await log.getByText('13 s · 4 lines').waitFor()
    expect(await log.locator('.line.warning').textContent()).to.contain('odd')
    expect(await log.getByText('frame=1').count()).to.equal(0)
    for (const text of ['frame=2', '1 line of progress']) await log.getByText(text).waitFor()
    await at.page.getByLabel('Search the log').fill('frame=1')
    await log.getByText('frame=1').waitFor()
    await at.page.getByText('1 of 1').waitFor()
    await at.page.getByLabel('Search the log').fill('')
    await at.app.store.commitOutcome({
      ...withoutReport(id, attempt, {
        status: 'FAILED',
        errorStatus: 'FFMPEG_FAILED',
        errorMessage: 'Step 2 failed: a cause of its own',
      }),
      steps: steps(true),
    })
    await at.page.getByRole('region', { name: 'Error' }).waitFor()
    await at.look('log-steps')
    await log.getByText('Step 1').click()
    await log.getByRole('link', { name: 'Line 4', exact: true }).click()
    expect(at.page.url()).to.match(/#L4$/)
    await at.page.reload()
    await log.locator('.line.linked').getByText('odd').waitFor()
    expect(await at.page.evaluate(`document.querySelector('link[rel=icon]').href`)).to.contain(
      encodeURIComponent('#bf1f2b'),
    )
    at.expectSilence()
  })

  it('copies the request in forms that hold no key, and runs it again', async () => {
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await at.page.getByRole('button', { name: 'Request' }).click()
    await at.page.getByRole('button', { name: 'CLI', exact: true }).click()
    await at.page.getByRole('button', { name: 'Copy CLI' }).click()
    await at.page.getByText('Copied').waitFor()
    const copied = await at.page.evaluate('navigator.clipboard.readText()')
    expect(copied)
      .to.match(/^export CLOUD_FFMPEG_URL=.*\nnpx --no-install cloud-ffmpeg run/)
      .and.not.contain(at.app.key)
    const before = at.page.url()
    await at.page.getByRole('button', { name: 'Run again' }).click()
    await at.page.waitForURL((url) => url.href !== before)
    const again = await at.app.record(`/v1/commands/${at.page.url().split('/').at(-1)}`)
    const first = await at.app.record(`/v1/commands/${before.split('/').at(-1)}`)
    expect(again['original_request']).to.deep.equal(first['original_request'])
    at.expectSilence()
  })

  it('follows state and log until the end, then shows the outputs', async () => {
    const id = await at.app.submit({ output_files: { out_1: 'still.png' } })
    await at.open(`commands/${id}`)
    await at.page.getByText('It is being handed to the cluster').waitFor()
    const attempt = await start(at.app, id)
    await at.page.getByText('42 %').waitFor()
    await at.page
      .getByRole('img', { name: /^Waiting .*, Starting .*, Download .*, FFmpeg / })
      .waitFor()
    await at.look('running')
    const lines = Array.from({ length: 2_500 }, (_, index) => `line ${index + 1}`)
    await writeLog(at.app, id, attempt, 0, `${lines.join('\n')}\n`)
    const log = at.page.getByRole('log')
    await log.getByText('line 2500', { exact: true }).waitFor()
    await log.getByText('The first 500 lines are in the download.').waitFor()
    await at.page.evaluate('document.querySelector(".log-box").scrollTo(0, 0)')
    await at.page.getByRole('button', { name: 'Jump to the end' }).waitFor()
    await writeLog(at.app, id, attempt, 1, 'line 2501\n')
    await log.getByText('line 2501', { exact: true }).waitFor()
    expect(await at.page.evaluate('document.querySelector(".log-box").scrollTop')).to.equal(0)
    await at.page.getByRole('button', { name: 'Jump to the end' }).click()
    await at.page.getByRole('button', { name: 'Jump to the end' }).waitFor({ state: 'detached' })
    await at.page.getByLabel('Search the log').fill('LINE 250')
    await at.page.getByText('1 of 3').waitFor()
    await at.page.getByLabel('Search the log').fill('')
    const download = at.page.waitForEvent('download')
    await at.page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).to.equal(`${id}.log`)
    await at.app.store.commitOutcome({
      ...withoutReport(id, attempt, {
        status: 'FAILED',
        errorStatus: 'CANCELLED',
        errorMessage: 'Cancelled by request',
      }),
    })
    await at.page.getByText('Cancelled').first().waitFor()
    at.expectSilence()
  })

  it('shows a picture from the storage, and deletes files after it has named what goes', async () => {
    const id = await at.app.submit({ output_files: { out_1: 'still.png' } })
    await succeed(at.app, id)
    await at.app.query('name', `update files set key = $2 where command_id = $1`, [
      id,
      `public/${id}/still.png`,
    ])
    await at.open(`commands/${id}`)
    const picture = at.page.getByRole('img', { name: 'still.png' })
    await picture.waitFor()
    while (!(await at.page.evaluate('document.querySelector("img.preview")?.naturalWidth === 4')));
    await at.look('done')
    await at.page.getByRole('button', { name: 'Delete files' }).click()
    const dialog = at.page.getByRole('dialog')
    await dialog.getByText('1 output of this command (1.0 MB) will be deleted.').waitFor()
    await at.look('delete')
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await picture.waitFor()
    at.expectSilence()
  })

  it('copies the request from the head of the page, and offers what can be done with an output', async () => {
    await at.page.getByRole('button', { name: 'Copy as' }).click()
    await at.look('copy-as', ['phone', 'desktop'])
    await at.page.getByRole('button', { name: 'curl', exact: true }).first().click()
    await at.page.getByText('The request is copied as curl, without the key.').waitFor()
    expect(await at.page.evaluate('navigator.clipboard.readText()')).to.match(/^curl -sS http/)
    const card = at.page.getByRole('article').filter({ hasText: 'still.png' })
    await card.getByRole('button', { name: 'Use as input' }).click()
    await at.page.getByRole('button', { name: 'Take still.png out of in_1' }).waitFor()
    await at.page.goBack()
    await card.getByRole('button', { name: 'Download' }).waitFor()
    await card.getByRole('button', { name: 'Delete' }).click()
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete 1 file' }).click()
    await at.page.getByText('Deleted. The record stays.').waitFor()
    at.expectSilence()
  })

  it('names a deleted input before it sends anything', async () => {
    const sent = () => at.browser.requested.filter((one) => one.includes('/v1/run-')).length
    const before = sent()
    const source = await at.app.submit()
    await succeed(at.app, source)
    const url = `${at.storage.url}/public/${unknownId}/${source}/one/small.mp4`
    const id = await at.app.submit({ input_files: { in_1: url } })
    await fail(at.app, id)
    await at.app.call(`/v1/commands/${source}/files`, { method: 'DELETE' })
    await at.open(`commands/${id}`)
    await at.page.getByRole('button', { name: 'Run again' }).click()
    await at.page
      .getByText('The service has deleted in_1 (small.mp4) since then. Upload it again')
      .waitFor()
    await at.page.getByRole('link', { name: 'Edit' }).click()
    const problem = at.page.getByText('The service has deleted this file.')
    await at.look('deleted-input', ['phone', 'desktop'])
    await at.page.getByText('in_1: the service has deleted the file', { exact: true }).waitFor()
    const run = at.page.getByRole('button', { name: 'Run', exact: true })
    expect(await run.isDisabled()).to.equal(true)
    expect(sent()).to.equal(before)
    await at.page.getByLabel('URL of in_1').fill('https://media.example/other.mp4')
    await problem.waitFor({ state: 'detached' })
    at.expectSilence()
  })

  it('cancels a command that waits', async () => {
    const id = await at.app.submit()
    await at.open(`commands/${id}`)
    await at.page.getByRole('button', { name: 'Cancel' }).click()
    await at.page.getByRole('heading', { name: 'Cancelled' }).waitFor()
    expect(await at.page.getByRole('button', { name: 'Cancel' }).count()).to.equal(0)
    at.expectSilence()
  })

  it('tells the end by a notification, and shows what the webhook answered', async () => {
    await at.page.context().grantPermissions(['notifications'])
    await at.app.call('/v1/webhook', { method: 'PUT', body: { url: 'https://app.example/hook' } })
    const id = await at.app.submit()
    await at.open(`commands/${id}`)
    await at.page.evaluate(`globalThis.Notification = class extends EventTarget {
      static requestPermission = async () => 'granted'
      constructor(title) { super(); document.documentElement.dataset.sent = title }
    }`)
    await at.page.getByRole('button', { name: 'Tell me when it ends' }).click()
    await at.page.getByRole('button', { name: 'Notification is on' }).waitFor()
    await succeed(at.app, id)
    while (!(await at.page.evaluate('document.documentElement.dataset.sent')));
    expect(await at.page.evaluate('document.documentElement.dataset.sent')).to.equal(
      'Done: small.mp4',
    )
    await at.page.getByRole('button', { name: 'Webhooks' }).click()
    await at.page.getByText('https://app.example/hook').waitFor()
    await at.page.getByText('command.finished').waitFor()
    await at.look('webhooks')
    // The output is a picture in the storage of this test, which no video player shows.
    at.expectSilence()
  })

  it('says that the account has no such command', async () => {
    await at.open(`commands/${unknownId}`)
    await at.page.getByRole('heading', { name: 'No such command' }).waitFor()
    await at.look('unknown')
    await at.open('odd')
    await at.page.getByRole('heading', { name: 'No such page' }).waitFor()
    // Chromium reports each answer of 404 as an error: for the record, and for its log.
    expect(at.browser.errors.splice(0)).not.to.deep.equal([])
  })

  it('shows each command of a chain, and the step that failed', async () => {
    const { body } = await at.app.post('/v1/run-chained-ffmpeg-commands', {
      input_files: {},
      output_files: { out_1: 'a.mp4', out_2: 'b.png' },
      ffmpeg_commands: [
        '-f lavfi -i testsrc2=duration=1 {{out_1}}',
        '-i {{out_1}} -frames:v 1 {{out_2}}',
      ],
    })
    const id = String((body as { command_id: string }).command_id)
    await at.open(`commands/${id}`)
    await at.page.getByText('-i {{out_1}} -frames:v 1 {{out_2}}', { exact: true }).waitFor()
    await fail(at.app, id)
    await at.page.getByRole('heading', { name: 'Cancelled' }).waitFor()
    at.expectSilence()
  })
})

/** On a page of its own, since a fake clock stays in its browser. */
describe('the time that a command still takes', () => {
  const at = useConsole()

  it('says how long it will take, from two percents that are far enough apart', async () => {
    const id = await at.app.submit()
    const attempt = await start(at.app, id)
    // The stream begins late: no event tells the first percent, only the record does.
    const isRead = Promise.withResolvers<void>()
    await at.page.route(/\/v1\/events/, async (route) => {
      await isRead.promise
      await route.continue()
    })
    await at.page.clock.install()
    await at.open(`commands/${id}`)
    await at.page.getByText('42 %').waitFor()
    isRead.resolve()
    await at.page.clock.fastForward(120_000)
    await at.app.store.storeProgress({
      ...processing,
      commandId: id,
      attempt,
      logs: [],
      progressPercent: 71,
      steps: [{ ...queuedStep, status: 'PROCESSING' }],
    })
    // More than 2 on a machine that took long for the second percent.
    await at.page.getByText(/about [2-9] min left/).waitFor()
    await at.page.clock.resume()
    at.expectSilence()
  })
})
