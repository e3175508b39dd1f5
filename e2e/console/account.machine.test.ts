import { expect } from 'chai'
import { fail, start, succeed, withoutReport } from '../../testing/support/api/outcomes.ts'
import { failed } from '../../testing/store-contract/fixtures.ts'
import { useConsole } from './console.fixture.ts'

describe('the pages of an account', () => {
  const at = useConsole()
  const button = (name: string | RegExp, exact = true) =>
    at.page.getByRole('button', typeof name === 'string' ? { name, exact } : { name })

  describe('usage', () => {
    it('shows the last 24 hours first while the account has nothing before', async () => {
      await at.open('usage')
      await at.page.getByRole('img', { name: /^Commands: .* in 24 hours$/ }).waitFor()
      await button('7 days').click()
      await at.page.getByRole('img', { name: /^Commands: .* in 168 hours$/ }).waitFor()
    })

    it('shows the plan, and charts of what ended in each hour', async () => {
      await at.app.query('history', hoursOfAMonth, [at.app.account.accountId])
      const ids = []
      for (let count = 0; count < 4; count += 1) ids.push(await at.app.submit())
      const [done = '', cancelled = '', wrong = '', running = ''] = ids
      await succeed(at.app, done)
      await fail(at.app, cancelled)
      const attempt = await start(at.app, wrong)
      await at.app.store.commitOutcome(withoutReport(wrong, attempt, failed('OUT_OF_MEMORY')))
      await start(at.app, running)
      await at.open('usage')
      await at.page.getByRole('heading', { name: 'Usage' }).waitFor()
      const plan = at.page.getByRole('region', { name: 'Plan' })
      await plan.getByText('1 running, 0 in the queue').waitFor()
      expect(await plan.getByText(/^Begins again/).count()).to.equal(1)
      const chart = at.page.getByRole('img', { name: /^Commands: .* in 168 hours$/ })
      await chart.waitFor()
      for (const tone of ['good', 'bad', 'grey']) {
        expect(await chart.locator(`path.${tone}`).getAttribute('d'), tone).to.match(/^M/)
      }
      await at.look('usage')
      at.expectSilence()
    })

    it('says what a bar holds under the pointer, and in a table', async () => {
      const chart = at.page.getByRole('img', { name: /^Commands: / })
      const box = await chart.boundingBox()
      if (box === null) throw new Error('the chart is not drawn')
      await at.page.mouse.move(box.x + box.width - 2, box.y + 20)
      await at.page.getByText(/: 1 done, 1 failed, 1 cancelled$/).waitFor()
      await at.page.getByText('As a table').click()
      const newest = at.page.getByRole('row').nth(1)
      const cells = await newest.getByRole('cell').allTextContents()
      expect(cells.slice(0, 3)).to.deep.equal(['1', '1', '1'])
      await at.look('usage-table')
      at.expectSilence()
    })

    it('keeps the span in the address, by day and by hour', async () => {
      await button('30 days').click()
      // 30 in the last hour of a day (UTC), when the span ends with it.
      await at.page.getByRole('img', { name: /^Stored: .* in 3[01] days$/ }).waitFor()
      expect(at.page.url()).to.match(/usage\?span=30d&by=day$/)
      await at.page.getByLabel('Length of a bar').selectOption('hour')
      await at.page.getByRole('img', { name: /^Stored: .* in 720 hours$/ }).waitFor()
      await at.look('usage-month-of-hours')
      await button('24 hours').click()
      await at.page.getByRole('img', { name: /^Stored: .* in 24 hours$/ }).waitFor()
      expect(await at.page.getByLabel('Length of a bar').isDisabled()).to.equal(true)
      await at.page.reload()
      await at.page.getByRole('img', { name: /^Stored: .* in 24 hours$/ }).waitFor()
      at.expectSilence()
    })

    it('leads from a cause of failures to the commands that have it', async () => {
      await at.page.getByRole('link', { name: 'OUT_OF_MEMORY' }).click()
      await at.page.getByRole('heading', { name: 'Commands' }).waitFor()
      await at.page.locator('tbody tr').first().waitFor()
      expect(await at.page.locator('tbody tr').count()).to.equal(1)
      expect(at.page.url()).to.contain('state=failed&error=OUT_OF_MEMORY')
      at.expectSilence()
    })
  })

  describe('keys', () => {
    const row = (name: string) => at.page.getByRole('listitem').filter({ hasText: name })

    it('lists the keys and makes one that is shown once', async () => {
      await at.page.getByRole('link', { name: 'Keys' }).click()
      await at.page.getByText('this one', { exact: true }).waitFor()
      await at.look('keys')
      await at.page.getByLabel('Name of the key').fill('wall screen')
      await at.page.getByLabel('Expires').selectOption('In 30 days')
      await at.page.getByLabel('Read-only').check()
      await button('Make the key').click()
      await at.page.getByText('Copy the key now').waitFor()
      const key = (await at.page.locator('.made-key .code').textContent()) ?? ''
      expect(key).to.match(/^cff_[\w-]{43}$/)
      const shown = row('wall screen').filter({ hasText: 'read-only' })
      await shown.getByText('expires in 30 days').waitFor()
      expect(await shown.textContent()).to.contain(`${key.slice(0, 8)}…`)
      await at.look('keys-made')
      await button('Use it in this console').click()
      await at.page.getByText('This key is read-only, so it can neither').waitFor()
      expect(await button('Revoke wall screen').isDisabled()).to.equal(true)
      expect(await button('Make the key').count()).to.equal(0)
      await at.look('keys-read-only')
      at.expectSilence()
    })

    it('revokes a key, and keeps the last that may make changes', async () => {
      await button('wall screen').click()
      await button('first').click()
      await button('Revoke wall screen').click()
      await at.page.getByRole('dialog').getByText('within 5 seconds').waitFor()
      await at.look('keys-revoke')
      await button('Revoke it').click()
      await at.page.getByText('wall screen is revoked.').waitFor()
      expect(await row('wall screen').count()).to.equal(0)
      await button(/^Revoke /).click()
      await button('Revoke it').click()
      await at.page.getByText('This is the last key of the account').waitFor()
      // Chromium reports each answer of 409 as an error.
      expect(at.browser.errors.splice(0)).to.have.length(1)
      at.expectSilence()
    })

    it('says who makes keys where only an administrator does', async () => {
      await at.page.route('**/console/config.json', async (route) => {
        const config = (await (await route.fetch()).json()) as object
        await route.fulfill({ json: { ...config, self_service_keys: false } })
      })
      await at.page.reload()
      await at.page.getByText('In this installation an administrator makes keys').waitFor()
      await at.look('keys-by-administrator')
      await at.page.unroute('**/console/config.json')
      at.expectSilence()
    })
  })

  describe('settings', () => {
    const root = (attribute: string) =>
      at.page.evaluate(`document.documentElement.getAttribute('data-${attribute}')`)
    const ground = () => at.page.evaluate('getComputedStyle(document.body).backgroundColor')

    it('changes the appearance at once, and keeps them after a reload', async () => {
      await at.page.getByRole('link', { name: 'Settings' }).click()
      await at.page.getByRole('heading', { name: 'Settings' }).waitFor()
      await at.look('settings')
      const before = await ground()
      await at.page.getByLabel('Dark').check()
      expect(await ground()).not.to.equal(before)
      await at.page.getByLabel('Compact').check()
      await at.page.getByLabel('UTC', { exact: true }).check()
      await at.page.getByRole('group', { name: 'Motion' }).getByLabel('None').check()
      await at.page.reload()
      await at.page.getByRole('heading', { name: 'Settings' }).waitFor()
      expect(await Promise.all(['theme', 'density', 'motion'].map(root))).to.deep.equal([
        'dark',
        'compact',
        'reduced',
      ])
      await at.page.getByRole('link', { name: 'Keys' }).click()
      await at.page.getByText(/^Made .* UTC$/).waitFor()
      await at.page.getByRole('link', { name: 'Settings' }).click()
      await at.page.getByLabel('As the system').first().check()
      at.expectSilence()
    })

    it('checks whether the page may read the storage, and says what to do', async () => {
      await button('Check').click()
      await at.page.getByText('does not allow this page').waitFor()
      await at.page.getByText('admin storage cors --origin').waitFor()
      await at.look('settings-storage')
      // Chromium reports the refusal by CORS as an error.
      at.browser.errors.splice(0)
      at.storage.allowsPages = true
      await button('Check again').click()
      await at.page.getByText('This page may read stored files').waitFor()
      at.expectSilence()
    })

    it('renames a profile, gives it a colour, keeps it on the device, and forgets all', async () => {
      const name = at.page.getByLabel('Name of first')
      await name.fill('prod')
      await name.press('Enter')
      await button('prod').waitFor()
      const colours = at.page.getByRole('group', { name: 'Colour of prod' })
      await colours.getByLabel('Colour 3').check()
      await at.page.locator('.profile .swatch.colour-2').waitFor()
      await at.page.getByLabel('Keep on this device: prod').check()
      const kept = () => at.page.evaluate('Object.keys(localStorage).toSorted().join(" ")')
      expect(await kept()).to.equal('cloud-ffmpeg.preferences cloud-ffmpeg.profiles')
      await button('Forget all').click()
      await at.look('settings-forget')
      await at.page.getByRole('dialog').getByRole('button', { name: 'Forget all' }).click()
      await at.page.getByLabel('Paste an API key').waitFor()
      expect(await kept()).to.equal('')
      expect(await at.page.evaluate('sessionStorage.length')).to.equal(0)
      at.expectSilence()
    })
  })
})

/** 30 days of an account that works by day and rests on Sundays. */
const hoursOfAMonth = `
  insert into usage_hours (account_id, hour, succeeded, failed, cancelled, errors,
    processing_bytes, vcpu_seconds, ffmpeg_seconds, waits, peak_vcpus, stored_bytes)
  select $1, hour, busy, busy / 9, busy / 23,
    case when busy < 9 then '{}'::jsonb
      else jsonb_build_object('FFMPEG_FAILED', busy / 9) end,
    busy * 41000000::bigint, busy * 52.5, busy * 9.25,
    jsonb_build_object('8', busy, '20', busy / 4, '34', busy / 16),
    least(24, busy), 8000000000 + n * 21000000::bigint
  from (
    select n, date_trunc('hour', now(), 'UTC') - make_interval(hours => 720 - n) as hour,
      case when (n / 24) % 7 = 6 or n % 24 < 5 then 0
        else (14 + 12 * sin(n / 24.0 * 2 * pi()) + 9 * sin(n * 1.7))::integer end as busy
    from generate_series(1, 719) n
  ) hours
  where busy > 0`
