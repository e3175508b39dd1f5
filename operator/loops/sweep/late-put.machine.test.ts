import { once } from 'node:events'
import http from 'node:http'
import { expect } from 'chai'
import { attemptPrefix } from '../../../common/domain/storage-keys.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { until } from '../../../testing/support/until.ts'
import { useGateway } from '../../../testing/support/operator/gateway.ts'
import { createObjectSweep } from './sweep-objects.ts'

describe('the sweep of a lost attempt', () => {
  const gateway = useGateway()

  it('deletes an object whose PUT began in the last second of its URL, and a later one after a day', async () => {
    const { command, pod } = await gateway.claimed()
    const { accountId, commandId } = command
    const attempt = { visibility: 'public', accountId, commandId, attempt: pod.podUid } as const
    const key = `${attemptPrefix(attempt)}late.bin`
    const object = { key, contentType: 'video/mp4', attachment: false }
    const half = Buffer.alloc(2 * 1024 * 1024)
    const sizeBytes = 2 * half.length
    const [grant] = await gateway.objects.presignPuts([{ ...object, sizeBytes }], 5)
    const { url, headers } = grant ?? { url: '', headers: {} }
    const put = http.request(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': sizeBytes },
    })
    const answered = once(put, 'response') as Promise<[http.IncomingMessage]>
    put.write(half)
    await gateway.lose(commandId, pod.podUid)
    await until(async () => {
      const answer = await fetch(url, { method: 'PUT', headers, body: 'too late' })
      await answer.text()
      return answer.status === 403
    }, 'the URL to expire')
    put.end(half)
    const [{ statusCode }] = await answered
    expect(statusCode).to.equal(200)
    const sweep = createObjectSweep(
      {
        store: gateway.store,
        storage: gateway.objects,
        effects: systemEffects(),
        term: { mustHold: () => undefined },
        results: { find: () => Promise.resolve(null) },
        metrics: {
          swept: () => undefined,
          sweepBacklog: () => undefined,
          outcomeRestored: () => undefined,
          shownOutcomeLost: () => undefined,
        },
        logger: silentLogger,
      },
      0,
    )
    const left = () => gateway.objects.list(attemptPrefix(attempt))
    const sweeps = () => sweep(new AbortController().signal)
    expect(await sweeps()).to.equal('drained')
    expect(await left()).to.deep.equal(new Map())
    // An object of a request that the store has finished later is found a day later.
    const body = Buffer.from('later')
    const later = { key, contentType: 'video/mp4', attachment: false, bytes: body }
    await gateway.objects.putBytes(later)
    expect(await sweeps()).to.equal('idle')
    expect((await left()).size).to.equal(1)
    await gateway.query(
      'age',
      `update attempts set sweep_from = sweep_from - interval '24 hours' where attempt = $1`,
      [pod.podUid],
    )
    expect(await sweeps()).to.equal('drained')
    expect(await left()).to.deep.equal(new Map())
  })
})
