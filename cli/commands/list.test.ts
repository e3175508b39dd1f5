import { expect } from 'chai'
import { field } from '../../api-server/checked-call.fixture.ts'
import { failed } from '../../testing/store-contract/fixtures.ts'
import { chainPath, submission, useApp } from '../../testing/support/api/app.ts'
import { start, withoutReport } from '../../testing/support/api/outcomes.ts'
import { cli } from '../cli.fixture.ts'

describe('cloud-ffmpeg list', () => {
  const app = useApp()

  const call = (...args: string[]) => cli(args, { url: app.url, key: app.key, folder: '/none' })

  it('the tool shows the steps of a chain in its list and its status', async () => {
    const { body } = await app.post(chainPath, {
      ffmpeg_commands: ['-i {{in_1}} -an {{out_1}}', '-i {{out_1}} -frames:v 1 {{out_2}}'],
      input_files: submission.input_files,
      output_files: { out_1: 'small.mp4', out_2: 'thumb.jpg' },
    })
    const id = String(field(body, 'command_id'))
    await start(app, id)
    expect((await call('list', '--limit', '1')).out).to.match(
      /→ small.mp4, thumb.j… +2 steps: -i \{\{in_1\}\} -an \{\{out_1\}\}\n$/,
    )
    expect((await call('status', id)).out).to.equal(
      [
        'PROCESSING FFMPEG_PROCESSING 42 %',
        'step 0 PROCESSING 42 %    -i {{in_1}} -an {{out_1}}',
        'step 1 PROCESSING 42 %    -i {{out_1}} -frames:v 1 {{out_2}}',
        '',
      ].join('\n'),
    )
  })

  it('the tool lists cancelled commands apart from failed ones, below a header on a terminal', async () => {
    const cancelled = await app.submit()
    await call('cancel', cancelled)
    const failedId = await app.submit()
    const attempt = await start(app, failedId)
    await app.store.commitOutcome(withoutReport(failedId, attempt, failed('INVALID_COMMAND')))
    const only = await call('list', '--status', 'cancelled')
    expect(only.out)
      .to.match(new RegExp(`^${cancelled}  CANCELLED `))
      .and.not.contain(failedId)
    const others = await call('list', '--status', 'failed')
    expect(others.out).to.contain(failedId).and.not.contain(cancelled)
    const both = await call('list', '--status', 'failed,cancelled', '--limit', '2')
    expect(both.out).to.match(new RegExp(`^${failedId} .*\n${cancelled} .*\n$`))
    const waiting = await app.submit()
    const mixed = await call('list', '--status', 'queued,failed', '--limit', '2')
    expect(mixed.out).to.match(new RegExp(`^${waiting} .*\n${failedId} .*\n$`))
    const onTerminal = { url: app.url, key: app.key, folder: '/none', redraw: () => undefined }
    const { out } = await cli(['list', '--limit', '1'], onTerminal)
    expect(out).to.match(/^ID +STATE +AGE +FILES +COMMAND\n[0-9a-f-]{36} .*\n$/)
  })
})
