import { expect } from 'chai'
import { start, succeed, withoutReport } from '../../testing/support/api/outcomes.ts'
import { useConsole, widths } from './console.fixture.ts'

describe('the playground', () => {
  const at = useConsole()
  const editor = () => at.page.getByRole('textbox', { name: 'Command', exact: true })
  const run = () => at.page.getByRole('button', { name: 'Run', exact: true })
  const marked = () => at.page.locator('.backdrop .mark')
  const result = () => at.page.getByRole('region', { name: 'Result' })

  const runs = async (): Promise<string> => {
    const answered = at.page.waitForResponse(
      (response) => /\/v1\/run-/.test(response.url()) && response.status() === 200,
    )
    await run().click()
    const { command_id: id } = (await (await answered).json()) as { command_id: string }
    return id
  }

  it('the playground is loaded when it is opened, and begins with recipes', async () => {
    await at.open()
    const loaded = () => at.browser.requested.filter((url) => url.includes('playground-page'))
    expect(loaded()).to.deep.equal([])
    await at.page.getByRole('link', { name: 'Playground' }).click()
    await at.page.getByRole('heading', { name: 'Playground' }).waitFor()
    expect(loaded()).to.have.length(1)
    await at.look('playground-empty')
    await at.page.getByRole('button', { name: 'Watermark', exact: true }).click()
    expect(await editor().inputValue()).to.contain('overlay=W-w-24')
    await at.page.getByText('in_1, in_2 have no file yet').waitFor()
    expect(await run().isDisabled()).to.equal(true)
    for (const width of [widths.phone, widths.desktop]) {
      await at.page.setViewportSize({ width, height: 900 })
      const beyond = '(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)'
      const field = 'document.querySelector(".editor textarea")'
      expect(await at.page.evaluate(`${beyond}(${field})`), 'field and backdrop').to.equal(0)
    }
    await at.look('playground-recipe')
    at.expectSilence()
  })

  it('the playground names the recipe that is loaded, also after a reload, until the draft differs', async () => {
    const loaded = () => at.page.getByLabel('Recipes').inputValue()
    expect(await loaded()).to.equal('A watermark')
    await at.page.getByLabel('URL of in_1').fill('https://media.example/a.mp4')
    await at.page.reload()
    await editor().waitFor()
    expect(await loaded()).to.equal('A watermark')
    await editor().press('End')
    await editor().press('Space')
    expect(await loaded()).to.equal('')
    await at.page.getByLabel('Recipes').selectOption('A GIF')
    expect(await loaded()).to.equal('A GIF')
    at.expectSilence()
  })

  it('marks a mistake while it is typed, at its token, and mends it by one click', async () => {
    await at.page.getByRole('button', { name: 'Clear' }).click()
    await editor().fill('-i {{in_1}} -i {{in_2}} -filter_complex hstack {{out_1}}')
    const problem = at.page.getByText("Unknown alias 'in_2' in '{{in_2}}' at character 16")
    await problem.first().waitFor()
    expect(await marked().allTextContents()).to.deep.equal(['{{in_2}}'])
    await at.look('playground-problem')
    await at.page.getByRole('button', { name: 'Show' }).click()
    const selected = await at.page.evaluate(
      '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
    )
    expect(selected).to.equal('{{in_2}}')
    await at.page.getByRole('button', { name: 'Add in_2' }).click()
    await problem.waitFor({ state: 'detached' })
    await at.page.getByLabel('URL of in_1').fill('https://media.example/a.mp4')
    await at.page.getByLabel('URL of in_2').fill('ftp://media.example/b.mp4')
    const row = at.page.locator('.file-row').filter({ has: at.page.getByLabel('URL of in_2') })
    await row.locator('.problem-text').waitFor()
    await at.page.getByLabel('URL of in_2').fill('https://media.example/b.mp4')
    await at.page.getByText('Checked', { exact: true }).waitFor()
    at.expectSilence()
  })

  it('says of each option what the service says of it', async () => {
    await at.page.getByText('Options', { exact: true }).click()
    await at.page.getByLabel('vCPUs').fill('many')
    await at.page.locator('#vcpu_count-problems .problem-text').waitFor()
    await at.page.getByText('1 problem', { exact: true }).waitFor()
    await at.page.getByLabel('vCPUs').fill('64')
    await at.page.getByText('vcpu_count 64 is lowered to 16').waitFor()
    await at.look('playground-options')
    await at.page.getByLabel('vCPUs').fill('4')
    await at.page.getByText('Checked', { exact: true }).waitFor()
    at.expectSilence()
  })

  it('keeps the draft over a reload, and runs it by the keyboard', async () => {
    await at.page.reload()
    await editor().waitFor()
    expect(await editor().inputValue()).to.contain('hstack')
    await at.page.getByText('Checked', { exact: true }).waitFor()
    await editor().focus()
    await at.page.keyboard.press('Control+Enter')
    await result().getByText('Queued').waitFor()
    at.expectSilence()
  })

  it('follows a command to its end and shows what it made', async () => {
    await at.page.getByRole('button', { name: 'Clear' }).click()
    await editor().fill('-f lavfi -i testsrc2=duration=1 -frames:v 1 {{out_1}}')
    await at.page.getByLabel('File name of out_1').fill('still.png')
    const id = await runs()
    const { original_request: sent } = await at.app.record(`/v1/commands/${id}`)
    expect(sent).to.deep.include({ input_files: {}, output_files: { out_1: 'still.png' } })
    await start(at.app, id)
    await result().getByText('42 %').waitFor()
    await at.look('playground-running')
    await succeed(at.app, id)
    await result().getByText('Done').waitFor()
    await result().getByRole('heading', { name: 'small.mp4' }).waitFor()
    await at.look('playground-done')
    // The picture that the storage has for each object is not a film.
    at.browser.errors.splice(0)
    await result().getByRole('link', { name: 'Details' }).click()
    await at.page.waitForURL(new RegExp(`/commands/${id}$`))
    at.browser.errors.splice(0)
  })

  it('opens a failed command with its cause marked, and runs it again once it is corrected', async () => {
    const command = '-i {{in_1}} -vf scal=-2:480 {{out_1}}'
    const id = await at.app.submit({ ffmpeg_command: command, metadata: { order: 18 } })
    const attempt = await start(at.app, id)
    const errorMessage = "FFmpeg refused the command: No such filter: 'scal'"
    const outcome = { status: 'FAILED', errorStatus: 'INVALID_COMMAND', errorMessage } as const
    await at.app.store.commitOutcome(withoutReport(id, attempt, outcome))
    await at.open(`commands/${id}`)
    await at.page.getByRole('link', { name: 'Fix in the playground' }).click()
    await at.page.waitForURL(/\/playground$/)
    expect(await editor().inputValue()).to.equal(command)
    await marked().first().waitFor()
    expect(await marked().allTextContents()).to.deep.equal(['scal'])
    await at.page.getByText("FFmpeg has no filter 'scal'; did you mean 'scale'?").waitFor()
    await at.look('playground-failed')
    await at.page.getByRole('button', { name: 'Write scale' }).click()
    expect(await editor().inputValue()).to.equal(command.replace('scal=', 'scale='))
    await marked().waitFor({ state: 'detached' })
    const again = await runs()
    const { original_request: sent, metadata } = await at.app.record(`/v1/commands/${again}`)
    expect(sent).to.deep.include({ ffmpeg_command: command.replace('scal=', 'scale=') })
    expect(metadata).to.deep.equal({ order: 18 })
    at.expectSilence()
  })

  it('marks the cause of a command that fails here, as long as its text stays', async () => {
    const text = '-i {{in_1}} -c:v libx999 {{out_1}}'
    await editor().fill(text)
    const id = await runs()
    const attempt = await start(at.app, id)
    const errorMessage = "FFmpeg refused the command: Unknown encoder 'libx999'"
    const outcome = { status: 'FAILED', errorStatus: 'INVALID_COMMAND', errorMessage } as const
    await at.app.store.commitOutcome(withoutReport(id, attempt, outcome))
    await result().getByText('INVALID_COMMAND').waitFor()
    await marked().first().waitFor()
    expect(await marked().allTextContents()).to.deep.equal(['libx999'])
    await editor().fill(text.replace('libx999', 'libx264'))
    await marked().waitFor({ state: 'detached' })
    at.expectSilence()
  })

  it('keeps the result over a reload, and Back shows that of the run before', async () => {
    await editor().fill('-i {{in_1}} -c:v libx264 {{out_1}}')
    const first = await runs()
    await at.page.waitForURL(new RegExp(`run=${first}$`))
    const second = await runs()
    await at.page.waitForURL(new RegExp(`run=${second}$`))
    await at.page.reload()
    const details = () => result().getByRole('link', { name: 'Details' }).getAttribute('href')
    expect(await details()).to.contain(second)
    await at.page.goBack()
    await at.page.waitForURL(new RegExp(`run=${first}$`))
    while (!(await details())?.includes(first));
    at.expectSilence()
  })

  it('opens a chain, and takes commands away', async () => {
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
    await at.page.getByRole('link', { name: 'Edit' }).click()
    await at.page.getByRole('textbox', { name: 'Command 2' }).waitFor()
    await at.page.getByText('Checked', { exact: true }).waitFor()
    await at.look('playground-chain')
    await at.page.getByRole('button', { name: 'Remove command 2' }).click()
    await at.page.getByText("Output 'out_2' is declared").waitFor()
    await at.page.getByRole('button', { name: 'Remove out_2' }).click()
    await at.page.getByText('Checked', { exact: true }).waitFor()
    await at.page.getByText('Show as', { exact: true }).click()
    await at.page.getByRole('button', { name: 'Python', exact: true }).click()
    await at.page.getByLabel('Request as Python').getByText('/v1/run-ffmpeg-command').waitFor()
    await at.look('playground-python')
    at.expectSilence()
  })

  it('takes a stored file as an input, and the sample clip', async () => {
    const id = await at.app.submit()
    await succeed(at.app, id)
    await at.page.getByRole('button', { name: 'Clear' }).click()
    await at.page.getByRole('button', { name: 'Stored file for in_1' }).click()
    const dialog = at.page.getByRole('dialog')
    await dialog
      .getByRole('button', { name: /small\.mp4/ })
      .first()
      .waitFor()
    await at.look('playground-stored')
    await dialog.getByLabel('Search by name').fill('nothing of that name')
    await dialog.getByText('No file has such a name.').waitFor()
    await dialog.getByLabel('Search by name').fill('SMALL')
    await dialog
      .getByRole('button', { name: /small\.mp4/ })
      .first()
      .click()
    await at.page.getByRole('button', { name: 'Take small.mp4 out of in_1' }).waitFor()
    const answered = at.page.waitForResponse((response) => /\/v1\/run-/.test(response.url()))
    await at.page.getByRole('button', { name: 'Use the sample clip' }).click()
    const sample = (await (await answered).json()) as { command_id: string }
    // The console reads it three seconds after a command has begun.
    await at.page.waitForResponse((response) => response.url().endsWith('/v1/usage'))
    const reads = at.browser.requested.filter((url) => url.includes(sample.command_id))
    expect(reads.length, 'reads of a command that runs').to.be.at.most(1)
    await succeed(at.app, sample.command_id)
    await at.page.getByRole('button', { name: 'Take sample.mp4 out of in_2' }).waitFor()
    at.expectSilence()
  })

  it('the page of a command breaks no line inside an option', async () => {
    await at.open(
      `commands/${await at.app.submit({ ffmpeg_command: `-i {{in_1}} ${'-c:v libx264 -an '.repeat(20)}{{out_1}}` })}`,
    )
    const options = at.page.locator('.command-text .whole')
    await options.first().waitFor()
    for (const width of Object.values(widths)) {
      await at.page.setViewportSize({ width, height: 900 })
      const broken = `[...document.querySelectorAll('.command-text .whole')].filter((one) => one.getClientRects().length > 1).length`
      expect(await at.page.evaluate(broken), `options at ${width}`).to.equal(0)
    }
    expect(await options.count()).to.equal(41)
    expect(await at.page.locator('.command-text').innerText()).to.match(
      /^-i {{in_1}} -c:v libx264 -an -c:v /,
    )
    at.expectSilence()
  })

  it('says what the plan lacks, at the control', async () => {
    await at.app.addAccount('small', 'free', 'key-of-small')
    await at.page.evaluate('sessionStorage.clear()')
    await at.page.goto('about:blank')
    await at.open('playground', 'key-of-small')
    await at.page.getByText('Options', { exact: true }).click()
    await at.page.getByText('Private: plan free has no private files').waitFor()
    at.expectSilence()
  })
})
