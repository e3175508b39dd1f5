import { expect } from 'chai'
import { useApp } from '../../testing/support/api/app.ts'
import { cancelled, claim, withoutReport } from '../../testing/support/api/outcomes.ts'
import { queuedStep } from '../../testing/store-contract/fixtures.ts'
import { stillEffects } from '../../testing/support/still-effects.ts'
import { createClient } from '../client/client.ts'
import { followCommand } from './follow-command.ts'

describe('followCommand', () => {
  const effects = stillEffects()
  const app = useApp({ effects })

  it('shows what is written so far and how fast while there is no percent', async () => {
    const id = await app.submit()
    const { podUid: attempt } = await claim(app, id)
    const lines = [
      'Press [q]',
      'frame=90 fps=31 time=00:00:03.60 speed=1.2x',
      'frame=300 time=00:01:12.04 speed=1.4x',
    ]
    const text = lines.join('\n')
    await app.store.storeProgress({
      commandId: id,
      attempt,
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      steps: [{ ...queuedStep, status: 'PROCESSING' }],
      progressPercent: null,
      logs: [{ step: 0, sequence: 0, text }],
    })
    const client = createClient({ url: app.url, apiKey: app.key, effects })
    const shown: string[] = []
    const progress = {
      show: (step: string, detail = '') => {
        shown.push(`${step} ${detail}`)
        if (detail === '72 s written, 1.4x')
          void app.store.commitOutcome(withoutReport(id, attempt, cancelled))
      },
      say: () => undefined,
      clear: () => undefined,
    }
    const { signal } = new AbortController()
    const record = await effects.until(
      followCommand(client, { progress, signal, clock: effects.clock }, id),
    )
    expect(record.status).to.equal('FAILED')
    expect(shown).to.include('FFmpeg runs 72 s written, 1.4x')
    expect(shown.at(-1)).to.equal('failed ')
  })
})
