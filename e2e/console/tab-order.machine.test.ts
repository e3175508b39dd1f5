import { expect } from 'chai'
import { start, succeed } from '../../testing/support/api/outcomes.ts'
import { useConsole } from './console.fixture.ts'

/** Visible controls; of a group of radio buttons, Tab stops at the chosen one. */
const controls = `[...document.querySelectorAll(
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
)].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.type !== 'radio' || one.checked)`

describe('the Tab key', () => {
  const at = useConsole()

  /** Presses Tab through the whole page. @returns controls that never had the focus */
  async function unreached(): Promise<string[]> {
    const count = await at.page.evaluate<number>(`${controls}.length`)
    expect(count).to.be.at.least(20)
    // One more round than there are controls, for the address bar and scrollable parts.
    for (let press = 0; press < count + 10; press += 1) {
      await at.page.keyboard.press('Tab')
      await at.page.evaluate(`void (document.activeElement.dataset.reached = 'yes')`)
    }
    return await at.page.evaluate<string[]>(
      `${controls}.filter((one) => one.dataset.reached !== 'yes').map((one) => one.outerHTML.slice(0, 200))`,
    )
  }

  it('reaches every control of the list of commands', async () => {
    const ids = [await at.app.submit(), await at.app.submit(), await at.app.submit()]
    await start(at.app, ids[0] ?? '')
    await succeed(at.app, ids[1] ?? '')
    await at.open()
    await at.page.locator('tbody tr').nth(2).waitFor()
    await at.page.getByRole('checkbox', { name: `Select command ${ids[2]}` }).check()
    await at.page.getByRole('toolbar').waitFor()
    expect(await unreached()).to.deep.equal([])
  })

  it('reaches every control of the playground', async () => {
    await at.open('playground')
    await at.page.getByText('Options', { exact: true }).click()
    await at.page.getByText('Show as', { exact: true }).click()
    await at.page
      .getByRole('textbox', { name: 'Command', exact: true })
      .fill('-i {{in_1}} {{out_1}}')
    await at.page.getByRole('button', { name: 'Add an input' }).click()
    expect(await unreached()).to.deep.equal([])
    at.expectSilence()
  })
})
