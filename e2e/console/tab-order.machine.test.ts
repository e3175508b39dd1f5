import { expect } from 'chai'
import { start, succeed } from '../../testing/support/api/outcomes.ts'
import { useConsole } from './console.fixture.ts'

/** Visible controls; of a group of radio buttons, Tab stops at the chosen one. */
const controls = `[...document.querySelectorAll(
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
)].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.type !== 'radio' || one.checked)`

interface Place {
  readonly html: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const places = `${controls}.map((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect()
  return { html: one.outerHTML.slice(0, 200), left, right, top, bottom }
})`

/** Whether a reader comes to `next` before `one`: it stands above, and not in a column on the right. */
const isBefore = (next: Place, one: Place) => next.bottom <= one.top && next.left < one.right

describe('the Tab key', () => {
  const at = useConsole()
  let done = ''

  before(async () => {
    const ids = [await at.app.submit(), await at.app.submit(), await at.app.submit()]
    await start(at.app, ids[0] ?? '')
    done = ids[1] ?? ''
    await succeed(at.app, done)
    await at.app.call('/v1/webhook', { method: 'PUT', body: { url: 'https://app.example/hook' } })
  })

  /** Presses Tab through the whole page, and compares the order with that of the document and of the screen. */
  async function expectOrder(least: number): Promise<void> {
    const found = await at.page.evaluate<Place[]>(places)
    expect(found.length).to.be.at.least(least)
    const against = found.filter(
      (next, index) => index > 0 && isBefore(next, found[index - 1] ?? next),
    )
    expect(against, 'controls that stand before the one before them').to.deep.equal([])
    const reached: number[] = []
    // One more round than there are controls, for the address bar and scrollable parts.
    for (let press = 0; press < found.length + 10; press += 1) {
      await at.page.keyboard.press('Tab')
      reached.push(await at.page.evaluate<number>(`${controls}.indexOf(document.activeElement)`))
    }
    const skipped = found.filter((_, index) => !reached.includes(index))
    expect(skipped, 'controls that Tab skips').to.deep.equal([])
    const order = reached.filter((index) => index >= 0)
    const back = order.filter((index, nth) => nth > 0 && index < (order[nth - 1] ?? 0))
    expect(
      back.filter((index) => index > 0),
      'ways back other than to the first',
    ).to.deep.equal([])
  }

  it('reaches every control of the sign-in in the order of reading', async () => {
    await at.page.goto(`${at.app.url}/console`)
    await at.page.getByLabel('Paste an API key').waitFor()
    await expectOrder(5)
  })

  it('reaches every control of the list of commands in the order of reading', async () => {
    await at.open()
    await at.page.locator('tbody tr').nth(2).waitFor()
    await at.page.getByRole('checkbox', { name: `Select command ${done}` }).check()
    await at.page.getByRole('toolbar').waitFor()
    await expectOrder(20)
  })

  it('reaches every control of the page of a command in the order of reading', async () => {
    await at.open(`commands/${done}`)
    await at.page.getByText('1 output').waitFor()
    await expectOrder(20)
    // The picture that the storage has for each object is not a film.
    at.browser.errors.splice(0)
  })

  it('reaches every control of the playground in the order of reading', async () => {
    await at.open('playground')
    await at.page.getByText('Options', { exact: true }).click()
    await at.page.getByText('Show as', { exact: true }).click()
    await at.page
      .getByRole('textbox', { name: 'Command', exact: true })
      .fill('-i {{in_1}} {{out_1}}')
    await at.page.getByRole('button', { name: 'Add an input' }).click()
    await expectOrder(20)
    at.expectSilence()
  })

  for (const [page, ready] of [
    ['files', 'small.mp4'],
    ['webhooks', 'Rotate'],
    ['usage', 'As a table'],
    ['keys', 'Make the key'],
    ['settings', 'Forget all'],
  ] as const) {
    it(`reaches every control of the page ${page} in the order of reading`, async () => {
      await at.open(page)
      await at.page.getByText(ready).first().waitFor()
      await expectOrder(14)
      at.expectSilence()
    })
  }
})
