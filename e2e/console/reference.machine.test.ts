import { expect } from 'chai'
import { until } from '../../testing/support/until.ts'
import { unknownId } from '../../testing/support/api/app.ts'
import description from '../../common/openapi/openapi.json' with { type: 'json' }
import { useConsole } from './console.fixture.ts'
import type { Locator } from 'playwright-core'

/** Streams, whose answers do not end, and webhooks, which the service sends. */
const notExecuted: ReadonlySet<string> = new Set([
  'getEvents',
  'getCommandEvents',
  ...Object.values(description.webhooks).map(({ post }) => post.operationId),
])

/** Answers other than success that an example leads to by its nature. */
const refused: Readonly<Record<string, number>> = {
  // The ids of the examples are of no file here, and a queued command has none.
  bulkDeleteFiles: 404,
  deleteCommandFiles: 404,
  // The example is not a playlist.
  getFilePlaylist: 404,
  // ETags come from the storage.
  completeUpload: 400,
  // The name is that of another account, which protects this one.
  deleteAccount: 422,
  // This installation has no registration.
  registerAccount: 404,
  activateAccount: 404,
  // The call before it takes the URL away.
  testWebhook: 404,
  getWebhookDelivery: 404,
  redeliverWebhook: 404,
}

describe('the reference at /docs/api', function () {
  // Swagger UI takes seconds for each of its calls on a busy machine.
  this.timeout(900_000)
  const at = useConsole({ withBucket: true })

  it('answers each call as it is filled in, with the ids that calls before it gave', async () => {
    await at.open()
    await at.page.goto(`${at.app.url}/docs/api`)
    const calls = at.page.locator('.opblock')
    await calls.first().waitFor()
    const ids = new Map([['webhook_id', unknownId]])
    const unexpected: string[] = []
    for (const call of await calls.all()) {
      const operation = (await call.getAttribute('id'))?.split('-').at(-1) ?? ''
      if (notExecuted.has(operation)) continue
      await call.locator('.opblock-summary-control').click()
      for (const [name, id] of ids) {
        const field = call.locator(`tr[data-param-name="${name}"][data-param-in="path"] input`)
        if ((await field.count()) > 0) await field.fill(id)
      }
      const { status, text } = await execute(call)
      for (const [, name = '', id = ''] of text.matchAll(/"(\w+_id)":"([\da-f-]{36})"/g)) {
        ids.set(name, id)
      }
      const wanted = refused[operation]
      if (wanted === undefined ? status >= 300 : status !== wanted) {
        unexpected.push(`${operation}: ${status} ${text.slice(0, 300)}`)
      }
      await call.locator('.opblock-summary-control').click()
    }
    expect(unexpected).to.deep.equal([])
    expect(ids).to.include.keys('command_id', 'file_id', 'key_id')
  })

  async function execute(call: Locator): Promise<{ status: number; text: string }> {
    const body = call.locator('textarea.body-param__text')
    // The page refuses to send an empty body, and fills it in after it has shown the call.
    if ((await body.count()) > 0) await until(() => body.inputValue(), 'the example of the body')
    const answered = at.page.waitForResponse((response) => response.url().startsWith(at.app.url))
    await call.getByRole('button', { name: 'Execute' }).click()
    const answer = await answered
    return { status: answer.status(), text: await answer.text() }
  }
})
