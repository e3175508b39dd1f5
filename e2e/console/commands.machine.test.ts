import { expect } from 'chai'
import { fail, start, succeed, withoutReport } from '../../testing/support/api/outcomes.ts'
import { failed } from '../../testing/store-contract/fixtures.ts'
import { until } from '../../testing/support/until.ts'
import { useConsole, widths } from './console.fixture.ts'

describe('the list of commands', () => {
  const at = useConsole()
  const row = (id: string) => at.page.locator(`tr[data-id="${id}"]`)
  const rows = () => at.page.locator('tbody tr')
  const away = () => at.page.mouse.move(5, 500)
  /** Without waiting for the first key: a page that is busy with it would let the time of the pair pass. */
  const pressPair = async (first: string, second: string) => {
    await Promise.all([at.page.keyboard.press(first), at.page.keyboard.press(second)])
  }

  it('shows each state in words, with what it waits for and how it failed', async () => {
    const ids = []
    for (let count = 0; count < 5; count += 1) ids.push(await at.app.submit())
    const [running = '', done = '', cancelled = '', wrong = '', waiting = ''] = ids
    await start(at.app, running)
    await succeed(at.app, done)
    await fail(at.app, cancelled)
    const attempt = await start(at.app, wrong)
    await at.app.store.commitOutcome(withoutReport(wrong, attempt, failed('FFMPEG_FAILED')))
    await at.app.query(
      'queue again',
      'update commands set admitted_at = null where command_id = $1',
      [waiting],
    )
    await at.open()
    await row(running).getByText('Encoding').waitFor()
    expect(await row(running).getByRole('progressbar').getAttribute('aria-valuetext')).to.equal(
      '42 %',
    )
    expect(await row(done).textContent()).to.contain('Done')
    expect(await row(cancelled).textContent()).to.contain('Cancelled')
    expect(await row(wrong).textContent()).to.contain('Failed')
    expect(await row(waiting).textContent()).to.match(/Queued.*1st.*It /)
    expect(await row(done).textContent())
      .to.contain('sample.avi → small.mp4')
      .and.contain('-i {{in_1}} -vf "scale=-2:320"')
      .and.contain('order 17')
    for (const width of Object.values(widths)) {
      await at.page.setViewportSize({ width, height: 900 })
      const shown = await row(done).getByRole('link').boundingBox()
      expect(shown?.width, `the command at ${width}`).to.be.at.least(240)
    }
    await at.look('commands')
    at.expectSilence()
  })

  it('changes a row as its command runs, and adds new commands at the top', async () => {
    await away()
    const id = await at.app.submit()
    await row(id).waitFor()
    expect(await rows().first().getAttribute('data-id')).to.equal(id)
    await start(at.app, id)
    await row(id).getByText('42 %').waitFor()
    await at.app.store.commitOutcome(withoutReport(id, `pod-${id}`, failed('FFMPEG_FAILED')))
    await row(id).getByText('Failed', { exact: true }).waitFor()
    at.expectSilence()
  })

  it('moves no row under the pointer', async () => {
    await rows().first().hover()
    const before = await rows().first().getAttribute('data-id')
    const id = await at.app.submit()
    await at.page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await rows().first().getAttribute('data-id')).to.equal(before)
    await away()
    await row(id).waitFor()
    await at.page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' })
    await at.page.getByRole('button', { name: 'Live' }).click()
    const [, last] = [await at.app.submit(), await at.app.submit()]
    await at.page.getByRole('button', { name: '2 new' }).click()
    await row(last).waitFor()
    await at.page.getByRole('button', { name: 'Paused' }).click()
    at.expectSilence()
  })

  it('keeps its filters in the address', async () => {
    await at.page.getByRole('button', { name: 'Failed' }).click()
    await at.page.waitForURL(/\?state=failed$/)
    await at.page.locator('tbody tr .state.bad').first().waitFor()
    expect(await rows().count()).to.equal(2)
    await at.page.getByLabel('Kind of failure').selectOption('DISK_FULL')
    await at.page.getByText('No command matches.').waitFor()
    await at.look('no-match')
    await at.page.reload()
    await at.page.getByText('No command matches.').waitFor()
    expect(await at.page.getByLabel('Kind of failure').inputValue()).to.equal('DISK_FULL')
    await at.page.getByRole('link', { name: 'Clear filters' }).click()
    const marked = await at.app.submit({ metadata: { film: 'a & b' } })
    await row(marked).waitFor()
    await at.page.getByLabel('Metadata as key=value').fill('film = a & b')
    await at.page.keyboard.press('Enter')
    await at.page.waitForURL(/\?since=month&metadata\.film=a\+%26\+b$/)
    while ((await rows().count()) !== 1);
    expect(await rows().first().getAttribute('data-id')).to.equal(marked)
    await at.look('metadata')
    await at.page.getByRole('button', { name: 'film=a & b' }).click()
    await at.page.getByLabel('Time').selectOption('any')
    await at.page.locator('.state.good').first().waitFor()
    at.expectSilence()
  })

  it('stores filters under a name', async () => {
    await at.page.getByRole('button', { name: 'Cancelled', exact: true }).click()
    await at.page.getByText('1 command', { exact: true }).waitFor()
    await at.page.getByRole('button', { name: 'Saved views' }).click()
    await at.page.getByLabel('Name of this view').fill('stopped')
    await at.page.getByRole('button', { name: 'Save', exact: true }).click()
    const view = at.page.getByRole('link', { name: 'stopped' })
    await view.waitFor()
    await at.look('views')
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('button', { name: 'All', exact: true }).click()
    await at.page.reload()
    await at.page.getByRole('button', { name: 'Saved views' }).click()
    await view.click()
    await at.page.waitForURL(/\?state=cancelled$/)
    await at.page.getByRole('button', { name: 'Saved views' }).click()
    await at.page.getByRole('button', { name: 'Forget the view stopped' }).click()
    await at.page.getByLabel('Name of this view').waitFor()
    expect(await at.page.evaluate('JSON.stringify({ ...localStorage })')).to.equal('{}')
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('button', { name: 'All', exact: true }).click()
    await at.page.locator('.state.good').first().waitFor()
    at.expectSilence()
  })

  it('acts on several commands at a time', async () => {
    const ids = [await at.app.submit(), await at.app.submit()]
    for (const id of ids) await row(id).waitFor()
    const [first = '', last = ''] = ids
    await row(last).getByRole('checkbox').check()
    await row(first)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await at.page.getByRole('toolbar').getByText('2 commands selected').waitFor()
    await at.look('selected')
    await at.page.getByRole('button', { name: 'Cancel 2' }).click()
    await at.page.getByText('2 commands cancelled.').waitFor()
    for (const id of ids) {
      expect(await at.app.record(`/v1/commands/${id}`)).to.include({ error_status: 'CANCELLED' })
    }
    await row(ids[0] ?? '')
      .getByRole('checkbox')
      .check()
    await at.page.getByRole('button', { name: 'Run 1 again' }).click()
    await at.page.getByText('1 command submitted again.').waitFor()
    at.expectSilence()
  })

  it('says how many of several commands were refused, and keeps those selected', async () => {
    await away()
    const [kept, stopped] = [await at.app.submit(), await at.app.submit()]
    for (const id of [kept, stopped]) await row(id).getByRole('checkbox').check()
    await at.page.route(new RegExp(`/v1/commands/${kept}(/cancel)?$`), (route) =>
      route.fulfill({ status: 409, json: { detail: 'Command is already in terminal state' } }),
    )
    await at.page.getByRole('button', { name: 'Cancel 2' }).click()
    await at.page
      .getByText('1 command cancelled. 1 command not: Command is already in terminal state.')
      .waitFor()
    await at.page.unrouteAll()
    await at.page.getByRole('toolbar').getByText('1 command selected').waitFor()
    expect(await row(kept).getByRole('checkbox').isChecked()).to.equal(true)
    await at.page.getByRole('button', { name: 'Clear', exact: true }).click()
    // Chromium reports each answer of 409 as an error.
    expect(at.browser.errors.splice(0)).to.have.length(1)
    at.expectSilence()
  })

  it('deletes the files of several commands once it has named what goes', async () => {
    await away()
    const ids = [await at.app.submit(), await at.app.submit()]
    for (const id of ids) await succeed(at.app, id)
    for (const id of ids) await row(id).getByText('Done').waitFor()
    await at.page.reload()
    for (const id of ids) await row(id).getByRole('checkbox').check()
    await at.page.getByRole('button', { name: 'Delete files' }).click()
    const dialog = at.page.getByRole('dialog')
    await dialog.getByText('All stored outputs of 2 commands will be deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the files of 2 commands' }).click()
    await at.page.getByText('2 commands without files now.').waitFor()
    for (const id of ids) {
      const { output_files: files } = await at.app.record(`/v1/commands/${id}`)
      expect(files).to.have.nested.property('out_1.is_deleted', true)
    }
    at.expectSilence()
  })

  it('the list of commands is used by the keyboard alone', async () => {
    await at.page.reload()
    await rows().first().waitFor()
    const ids = await at.page.evaluate<string[]>(
      '[...document.querySelectorAll("tbody tr")].map((one) => one.dataset.id)',
    )
    await at.page.keyboard.press('j')
    await at.page.keyboard.press('j')
    await at.page.keyboard.press('x')
    expect(
      await row(ids[1] ?? '')
        .getByRole('checkbox')
        .isChecked(),
    ).to.equal(true)
    await at.page.keyboard.press('e')
    await at.page.getByRole('heading', { name: 'Playground' }).waitFor()
    await pressPair('g', 'c')
    await rows().first().waitFor()
    await at.page.keyboard.press('j')
    await at.page.keyboard.press('j')
    await at.page.keyboard.press('x')
    await at.page.keyboard.press('r')
    await at.page.getByRole('dialog').getByRole('button', { name: 'Run 1 again' }).click()
    await at.page.getByText('1 command submitted again.').waitFor()
    await rows().nth(ids.length).waitFor()
    ids.unshift((await rows().first().getAttribute('data-id')) ?? '')
    await at.page.keyboard.press('?')
    await at.page.getByRole('heading', { name: 'Shortcuts' }).waitFor()
    await at.look('keys')
    await at.page.keyboard.press('Escape')
    await rows().first().getByRole('link').focus()
    await at.page.keyboard.press('j')
    await at.page.keyboard.press('k')
    await at.page.keyboard.press('Enter')
    await at.page.waitForURL(new RegExp(`/commands/${ids[0]}$`))
    await pressPair('g', 'c')
    await at.page.getByLabel('Open by id').waitFor()
    await at.page.keyboard.press('/')
    await at.page.keyboard.type(`0…${ids[1]?.slice(-6)}`)
    await at.page.keyboard.press('Enter')
    await at.page.waitForURL(new RegExp(`/commands/${ids[1]}$`))
    at.expectSilence()
  })

  it('the console has no shortcut by letters once the settings say so', async () => {
    await at.open('settings')
    const letters = at.page.getByRole('group', { name: 'Shortcuts by letters' })
    await letters.getByRole('radio', { name: 'Off' }).check()
    await at.page.getByRole('heading', { name: 'Settings' }).click()
    await at.page.keyboard.press('?')
    await pressPair('g', 'c')
    expect(await at.page.getByRole('heading', { name: 'Shortcuts' }).count()).to.equal(0)
    expect(await at.page.title()).to.equal('Settings · Cloud FFmpeg')
    await letters.getByRole('radio', { name: 'On' }).check()
    at.expectSilence()
  })

  it('the list of commands has pages that do not shift when commands are added', async () => {
    const key = 'key-of-many'
    await at.app.addAccount('many', 'pro', key)
    const ids = []
    for (let count = 0; count < 60; count += 1) ids.unshift(await at.app.submit({}, { key }))
    await at.page.evaluate('sessionStorage.clear()')
    await at.open('', key)
    await row(ids[0] ?? '').waitFor()
    expect(await rows().count()).to.equal(50)
    await at.app.submit({}, { key })
    await at.page.getByRole('link', { name: 'Older' }).click()
    await row(ids[59] ?? '').waitFor()
    expect(await rows().count()).to.be.within(10, 11)
    await at.page.getByRole('link', { name: 'Newest' }).click()
    await row(ids[0] ?? '').waitFor()
    at.expectSilence()
    // The next test is of the first account again, whose key a page that is signed in does not take.
    await at.page.evaluate('sessionStorage.clear()')
  })

  it('the console stays away from the playground when a command opens there after the page was left', async () => {
    const id = await at.app.submit()
    // The answer comes between the click and the next frame, in which the page is replaced.
    await at.page.addInitScript(`{
      const { fetch } = window
      window.fetch = async (url, options) => {
        const answer = await fetch(url, options)
        if (!String(url).endsWith('/v1/commands/${id}')) return answer
        const text = await answer.text()
        await new Promise((resolve) => (window.release = resolve))
        return new Response(text, answer)
      }
    }`)
    await at.open(`playground?from=${id}`)
    // waitForFunction needs eval, which the page forbids.
    await until(() => at.page.evaluate('window.release !== undefined'))
    await at.page.evaluate(`{
      document.querySelector('nav a[href$="/console/commands"]').click()
      window.release()
    }`)
    await row(id).waitFor()
    expect(new URL(at.page.url()).pathname).to.equal('/console/commands')
    at.expectSilence()
  })
})
