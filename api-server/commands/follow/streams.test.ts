import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { logAgeLine } from '../../../common/domain/log-age-line.ts'
import { createClient } from '../../../cli/client/client.ts'
import { planWith } from '../../../testing/support/plans.ts'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { chainPath, startTestApp, submission, useApp } from '../../../testing/support/api/app.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { until } from '../../../testing/support/until.ts'
import { field } from '../../checked-call.fixture.ts'
import { openStream } from '../../open-stream.fixture.ts'
import { failed, queuedStep } from '../../../testing/store-contract/fixtures.ts'
import { start, withoutReport } from '../../../testing/support/api/outcomes.ts'
import type { TestApp } from '../../../testing/support/api/app.ts'

describe('open streams', () => {
  const plans = { pro: planWith({ streams: 3 }), free: planWith({ streams: 2 }) }
  const effects = stillEffects()
  const app = useApp({ effects, plans, maxStreams: 5 })
  const eventsOf = (id: string) => `/v1/commands/${id}/events`
  const logsOf = (id: string) => `/v1/commands/${id}/logs?follow=true`
  const open = (path: string, key = app.key) => openStream(app.url + path, key)

  /** A command of an account of its own. */
  async function ownCommand(name: string, plan = 'free') {
    const key = `key-of-${name}`
    await app.addAccount(name, plan, key)
    return { key, id: await app.submit({}, { key }) }
  }

  const metric = async (line: string, at: TestApp = app) => {
    // The registry answers within the present turn, in which no connection makes progress.
    await new Promise((resolve) => setImmediate(resolve))
    const text = await at.registry.metrics()
    return Number(
      text
        .split('\n')
        .find((found) => found.startsWith(`cloudffmpeg_${line} `))
        ?.split(' ')[1] ?? 0,
    )
  }

  it('open streams above the number of the plan are refused with 429, and above that of the server with 503', async () => {
    const id = await app.submit()
    const paths = [eventsOf(id), logsOf(id), eventsOf(id)]
    const streams = await Promise.all(paths.map((path) => open(path)))
    const full = await app.call(logsOf(id))
    expect([full.status, full.headers.get('retry-after')]).to.deep.equal([429, '5'])
    expect(full.body).to.include({
      code: 'too_many_streams',
      detail:
        "Too many streams: 3 of 3 streams of plan 'pro' are open at this server; close one, or retry in 5 s",
    })
    // A log that is not followed, and a HEAD, hold no place.
    expect((await app.call(`/v1/commands/${id}/logs`)).status).to.equal(200)
    const other = await ownCommand('second')
    const more = [
      await open(eventsOf(other.id), other.key),
      await open(logsOf(other.id), other.key),
    ]
    const third = await ownCommand('third')
    const busy = await app.call(eventsOf(third.id), { key: third.key })
    expect([busy.status, busy.headers.get('retry-after')]).to.deep.equal([503, '5'])
    expect(busy.body).to.include({
      code: 'too_many_streams',
      detail: 'Too many streams: this server holds 5 of 5; retry in 5 s, or poll the command',
    })
    expect(await metric('streams_refused_total{why="account"}')).to.equal(1)
    expect(await metric('streams_refused_total{why="server"}')).to.equal(1)
    for (const { leave } of [...streams, ...more]) leave()
    await until(
      async () =>
        (await metric('streams{kind="events"}')) + (await metric('streams{kind="logs"}')) === 0,
      'the places to be free',
    )
    const again = await open(eventsOf(id))
    again.leave()
  })

  it('open streams give their place back after a HEAD', async () => {
    const { id, key } = await ownCommand('heads')
    for (let count = 0; count < 6; count += 1) {
      const { status } = await app.call(eventsOf(id), { key, method: 'HEAD' })
      expect(status).to.equal(200)
    }
  })

  it('ends streams of events after 12 to 18 minutes with the time to reconnect', async () => {
    for (const [random, seconds] of [
      [0, 720],
      [1, 1_080],
    ] as const) {
      const aging = stillEffects()
      const own = await startTestApp({ effects: { ...aging, random: () => random }, plans }, app)
      const stream = await openStream(own.url + eventsOf(await app.submit()), app.key)
      await stream.until(/QUEUED/)
      aging.advance(seconds * 1_000 - 1)
      expect(await metric('streams_ended_total{why="age"}', own)).to.equal(0)
      aging.advance(2)
      expect(await stream.end()).to.match(/^event: status\n[^]*retry: 1000\n\n$/)
      expect(await metric('streams_ended_total{why="age"}', own)).to.equal(1)
      await own.close()
    }
  })

  it('ends streams of logs after an hour with a line that says so, and the client follows on without it', async () => {
    const aging = stillEffects()
    const own = await startTestApp({ effects: aging, plans }, app)
    const id = await app.submit()
    const attempt = await start(app, id)
    const write = (sequence: number, text: string) =>
      app.store.storeProgress({
        commandId: id,
        attempt,
        status: 'PROCESSING',
        stage: 'FFMPEG_PROCESSING',
        progressPercent: null,
        steps: [queuedStep],
        logs: [{ step: 0, sequence, text }],
      })
    await write(0, 'one\n')
    const stream = await openStream(own.url + logsOf(id), app.key)
    await stream.until(/one\n$/)
    aging.advance(3_600_000)
    expect(String(await rejectionOf(stream.end()))).to.contain(`cut off after: one\n${logAgeLine}`)

    const client = createClient({ url: own.url, apiKey: app.key })
    let text = ''
    for await (const piece of client.followLogs(id)) {
      text += piece
      if (text !== 'one\n') continue
      aging.advance(3_600_000)
      await until(async () => (await metric('streams_ended_total{why="age"}', own)) === 2)
      await write(1, 'two\n')
      await app.store.commitOutcome(withoutReport(id, attempt, failed('FFMPEG_FAILED')))
    }
    expect(text).to.equal('one\ntwo\n')
    await own.close()
  })

  it('open streams end within 35 seconds when the key is revoked or the account is suspended', async () => {
    for (const how of ['revoked', 'suspended'] as const) {
      const { id, key } = await ownCommand(how)
      const [events, logs] = [await open(eventsOf(id), key), await open(logsOf(id), key)]
      await events.until(/QUEUED/)
      if (how === 'suspended') await app.suspend(how)
      else {
        const revoke = `update api_keys set disabled = true
          where account_id = (select account_id from accounts where name = $1)`
        await app.query('revoke', revoke, [how])
      }
      effects.advance(35_000)
      expect(await events.end()).to.match(
        /event: error\ndata: \{"status":401,"detail":"Invalid authorization key: it was revoked[^\n]*\}\n\n$/,
      )
      expect(String(await rejectionOf(logs.end()))).to.match(/==> Invalid authorization key/)
    }
    expect(await metric('streams_ended_total{why="key"}')).to.equal(4)
  })

  it('open streams end for a reader that takes nothing for 30 seconds', async () => {
    // The logs of one step fit into the buffers of a connection; those of ten do not.
    const aliases = Array.from({ length: 10 }, (_, index) => `out_${index + 1}`)
    const { body } = await app.post(chainPath, {
      input_files: submission.input_files,
      output_files: Object.fromEntries(aliases.map((alias) => [alias, `${alias}.mp4`])),
      ffmpeg_commands: aliases.map((alias) => `-i {{in_1}} {{${alias}}}`),
    })
    const id = String(field(body, 'command_id'))
    const attempt = await start(app, id)
    const steps = aliases.map(() => queuedStep)
    const { port } = new URL(app.url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET ${logsOf(id)} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${app.key}\r\n\r\n`)
    const text = `${'x'.repeat(200_000)}\n`
    let sequence = 0
    await until(async () => {
      const step = Math.floor(sequence / 20) % steps.length
      await app.store.storeProgress({
        commandId: id,
        attempt,
        status: 'PROCESSING',
        stage: 'FFMPEG_PROCESSING',
        progressPercent: null,
        steps,
        logs: [{ step, sequence, text }],
      })
      sequence += 1
      effects.advance(1_000)
      return (await metric('streams_ended_total{why="slow"}')) === 1
    })
    socket.destroy()
  })
})
