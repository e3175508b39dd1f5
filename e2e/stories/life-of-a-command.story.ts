import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import {
  refused,
  runsFor,
  submitAndWait,
  untilEnd,
  untilFfmpegRuns,
} from '../steps/submit-and-wait.ts'

describe('a developer watches a command', () => {
  const env = useEnvironment()

  it('follows a command by its events, in order, to the end', async () => {
    const { command_id } = await env.client.submit(runsFor(3))
    const events = []
    for await (const event of env.client.getCommandEvents(command_id)) events.push(event)
    expect(events.map(({ command_id: id }) => id)).to.satisfy((ids: string[]) =>
      ids.every((id) => id === command_id),
    )
    const statuses = events
      .map(({ status }) => status)
      .filter((one, at, all) => one !== all[at - 1])
    expect(statuses.at(-1)).to.equal('SUCCESS')
    expect(statuses).to.include('PROCESSING')
    const percents = events.flatMap(({ progress_percent: percent }) => percent ?? [])
    expect(percents).to.deep.equal(percents.toSorted((one, other) => one - other))
  })

  it('reads FFmpeg’s log while a command runs and long after its pod has gone', async () => {
    const { command_id } = await env.client.submit(runsFor(6))
    await untilFfmpegRuns(env.client, command_id)
    const live = await eventually('the log begins', async () => {
      const text = await env.client.getCommandLogs(command_id)
      return /Input #0/.test(text) && text
    })
    expect(live).not.to.match(/\/job\//)
    const record = await untilEnd(env.client, command_id)
    expect(record.status).to.equal('SUCCESS')
    await eventually(
      'the custom resource is gone',
      async () => {
        const left = await env.kubectl('get', 'ffc', `ffc-${command_id}`, '--ignore-not-found')
        return left === ''
      },
      90,
    )
    const whole = await env.client.getCommandLogs(command_id)
    expect(whole).to.match(/Input #0[^]*Output #0/)
    expect(await env.client.getCommandLogs(command_id, { step: 0 })).to.equal(whole)
    expect(await refused(env.client.getCommandLogs(command_id, { step: 1 }))).to.include({
      status: 422,
    })
  })

  it('cancels a command, running or waiting, but not once it is done', async () => {
    const running = await env.client.submit({ ...runsFor(60), vcpu_count: 8 })
    await untilFfmpegRuns(env.client, running.command_id)
    const waiting = await env.client.submit({ ...runsFor(1), vcpu_count: 8 })
    const gone = await env.client.cancelCommand(waiting.command_id)
    expect(gone).to.include({ status: 'FAILED', error_status: 'CANCELLED', attempts: 0 })
    const stopped = await env.client.cancelCommand(running.command_id)
    expect(stopped).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
    expect((await env.client.cancelCommand(running.command_id)).error_status).to.equal('CANCELLED')
    const done = await submitAndWait(env.client, runsFor(1))
    expect(await refused(env.client.cancelCommand(done.command_id))).to.deep.equal({
      status: 409,
      detail: 'Command has already finished: SUCCESS',
    })
  })

  it('sends a command again without running it twice', async () => {
    const send = (text: string) =>
      fetch(`${env.installed.url}/v1/run-ffmpeg-command`, {
        method: 'POST',
        headers: { 'x-api-key': env.installed.apiKey, 'idempotency-key': 'order-17' },
        body: text,
      })
    const body = JSON.stringify(runsFor(1))
    const [first, second] = [await send(body), await send(` ${body}`)]
    expect(await second.text()).to.equal(await first.text())
    expect(second.headers.get('idempotency-replayed')).to.equal('true')
    const other = await send(JSON.stringify(runsFor(2)))
    expect(other.status).to.equal(422)
  })

  it('finds outputs deleted when their time is over', async () => {
    const record = await submitAndWait(env.client, { ...runsFor(1), output_ttl_seconds: 60 })
    const file = record.output_files?.['out_1']
    const lives = Date.parse(file?.expires_at ?? '') - Date.parse(record.finished_at ?? '')
    expect(lives).to.equal(60_000)
    const deleted = await eventually(
      'the output has expired',
      async () => {
        const now = await env.client.getFile(file?.file_id ?? '')
        return now.is_deleted && now
      },
      90,
    )
    expect(deleted.storage_url).to.equal(null)
  })
})
