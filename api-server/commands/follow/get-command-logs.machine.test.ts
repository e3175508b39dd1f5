import { expect } from 'chai'
import { markedLine } from '../../../common/domain/log-levels.ts'
import { lossOf } from '../../../testing/store-contract/fixtures.ts'
import { useFilesApp, foreignKey } from '../../../testing/support/api/files.ts'
import { rejectionOf } from '../../../testing/support/mocha.ts'
import { startTestApp, submission, unknownId, chainPath } from '../../../testing/support/api/app.ts'
import { stillEffects } from '../../../testing/support/still-effects.ts'
import { idOf, refusalOf } from '../../checked-call.fixture.ts'
import { openStream } from '../../open-stream.fixture.ts'
import { fail, start } from '../../../testing/support/api/outcomes.ts'
import type { Store } from '../../../common/store/store.ts'
import type { LogChunk } from '../../../common/gateway/messages.ts'

const chain = {
  ...submission,
  ffmpeg_command: undefined,
  ffmpeg_commands: ['-i {{in_1}} -f null -', '-i {{in_1}} {{out_1}}'],
}

describe('GET /v1/commands/{command_id}/logs', () => {
  const draining = new AbortController()
  const app = useFilesApp({ effects: stillEffects(), draining: draining.signal })

  const submit = async (kind: 'single' | 'chain' = 'single') => {
    return kind === 'single' ? app.submit() : idOf(await app.post(chainPath, chain))
  }
  const logs = async (id: string, query = '') => {
    const { status, body } = await app.call(`/v1/commands/${id}/logs${query}`)
    expect(status).to.equal(200)
    return body
  }
  const follow = (id: string, query = '') =>
    openStream(`${app.url}/v1/commands/${id}/logs?follow=true${query}`, app.key)
  let sequence = 0
  const write = async (commandId: string, attempt: string, step: number, text: string) => {
    const chunks: LogChunk[] = [{ step, sequence: sequence++, text }]
    const { steps = [] } = (await app.store.findForReconcile(commandId)) ?? {}
    await app.store.storeProgress({
      commandId,
      attempt,
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      progressPercent: null,
      steps,
      logs: chunks,
    })
  }
  const end = (commandId: string, attempt: string, last: LogChunk[] = []) =>
    app.store.commitOutcome({
      commandId,
      attempt,
      steps: null,
      usage: null,
      logs: last,
      outcome: { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage: 'x' },
    })
  /** Moves the log of an ended command to an object, as the operator does. */
  const moveToObject = async (commandId: string, texts: string[]) => {
    const key = `private/${commandId}.txt`
    const bytes = Buffer.from(texts.join(''))
    await app.objects.putBytes({ key, contentType: 'text/plain', attachment: false, bytes })
    const stepBytes = texts.map((text) => Buffer.byteLength(text))
    await app.store.recordLogObject(commandId, { key, stepBytes })
  }

  it('returns an empty log before the first output', async () => {
    const id = await submit()
    const { headers, body } = await app.call(`/v1/commands/${id}/logs`)
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(body).to.equal('')
    await fail(app, id)
    expect(await logs(id)).to.equal('')
  })

  it('returns the present log in order', async () => {
    const id = await submit()
    const pod = await start(app, id)
    await write(id, pod, 0, "Input #0, from '{{in_1}}':\n")
    await write(id, pod, 0, 'größer\n')
    expect(await logs(id)).to.equal("Input #0, from '{{in_1}}':\ngrößer\n")
    expect(await logs(id, '?step=0')).to.equal("Input #0, from '{{in_1}}':\ngrößer\n")
  })

  it('returns only the last lines where that is wanted, live, followed and from the object', async () => {
    const id = await submit('chain')
    const pod = await start(app, id)
    await write(id, pod, 0, 'one\ntwo\n')
    await write(id, pod, 1, 'größer\nlast\n')
    const all = '==> step 0 <==\none\ntwo\n==> step 1 <==\ngrößer\nlast\n'
    const tails = async () => {
      expect(await logs(id, '?tail=0')).to.equal('')
      expect(await logs(id, '?tail=2')).to.equal('größer\nlast\n')
      expect(await logs(id, '?tail=3')).to.equal('==> step 1 <==\ngrößer\nlast\n')
      expect(await logs(id, '?tail=1&step=0')).to.equal('two\n')
      for (const many of [6, 7, 100_000]) expect(await logs(id, `?tail=${many}`)).to.equal(all)
    }
    await tails()
    const stream = await follow(id, '&tail=1')
    await stream.until(/last\n/)
    await write(id, pod, 1, 'more\nand more\n')
    expect(await stream.until(/and more\n/)).to.equal('last\nmore\nand more\n')
    stream.leave()
    await end(id, pod)
    await moveToObject(id, ['one\ntwo\n', 'größer\nlast\n'])
    await tails()
    for (const wrong of ['-1', '100001', 'x']) {
      expect((await app.call(`/v1/commands/${id}/logs?tail=${wrong}`)).status).to.equal(422)
    }
  })

  it('returns the level of each line where that is wanted, live, followed and from the object', async () => {
    const id = await submit('chain')
    const pod = await start(app, id)
    const first = `${markedLine('info', 'one')}\n${markedLine('warning', 'größer')}\n`
    const second = `${markedLine('error', '[info] no')}\n`
    const more = `${markedLine('warning', 'more')}\n`
    await write(id, pod, 0, first)
    await write(id, pod, 1, second)
    const plain = await follow(id)
    const stream = await follow(id, '&levels=true&tail=1')
    await Promise.all([plain.until(/\[info\] no\n/), stream.until(/no\n/)])
    await write(id, pod, 1, more)
    expect(await stream.until(/more\n/)).to.equal('[error] [info] no\n[warning] more\n')
    expect(await plain.until(/more\n/)).to.contain('\n[info] no\nmore\n')
    plain.leave()
    stream.leave()
    const both = async () => {
      expect(await logs(id)).to.equal(
        '==> step 0 <==\none\ngrößer\n==> step 1 <==\n[info] no\nmore\n',
      )
      expect(await logs(id, '?levels=true')).to.equal(
        '==> step 0 <==\n[info] one\n[warning] größer\n==> step 1 <==\n[error] [info] no\n[warning] more\n',
      )
      expect(await logs(id, '?levels=true&step=1&tail=1')).to.equal('[warning] more\n')
    }
    await both()
    await end(id, pod)
    await moveToObject(id, [first, second + more])
    await both()
  })

  it('returns a heading per step of a chain, or one step alone', async () => {
    const id = await submit('chain')
    const pod = await start(app, id)
    await write(id, pod, 0, 'first\n')
    expect(await logs(id)).to.equal('==> step 0 <==\nfirst\n')
    await write(id, pod, 1, 'second\n')
    expect(await logs(id)).to.equal('==> step 0 <==\nfirst\n==> step 1 <==\nsecond\n')
    expect(await logs(id, '?step=1')).to.equal('second\n')
    expect(await logs(id, '?step=')).to.contain('step 1')
  })

  it('returns the same log after its rows have become an object', async () => {
    const id = await submit('chain')
    const pod = await start(app, id)
    await write(id, pod, 0, 'ä first\n')
    await write(id, pod, 1, 'second\n')
    await end(id, pod)
    const before = [await logs(id), await logs(id, '?step=0'), await logs(id, '?step=1')]
    await moveToObject(id, ['ä first\n', 'second\n'])
    expect([await logs(id), await logs(id, '?step=0'), await logs(id, '?step=1')]).to.deep.equal(
      before,
    )
    expect(await (await follow(id)).end()).to.equal(before[0])
  })

  it('returns the log of the newest attempt that wrote any', async () => {
    const id = await submit()
    const pod = await start(app, id)
    await write(id, pod, 0, 'before the loss\n')
    await app.store.loseAttempt(lossOf(id, { attempt: pod, podUid: pod }))
    const { until } = await follow(id)
    await until(/before/)
    await app.store.claimAttempt({ commandId: id, jobGeneration: 2, podUid: 'pod-2' })
    expect(await logs(id)).to.equal('before the loss\n')
    await write(id, 'pod-2', 0, 'after it\n')
    expect(await logs(id)).to.equal('after it\n')
    expect(await until(/after/)).to.equal('before the loss\n==> next attempt <==\nafter it\n')
  })

  it('reports how much of the middle was removed', async () => {
    const id = await submit()
    const pod = await start(app, id)
    for (let count = 0; count < 14; count += 1) {
      await write(id, pod, 0, `${String(count).padEnd(99_999, 'x')}\n`)
    }
    const text = String(await logs(id))
    expect(text).to.match(/^0x[^]*… \d{6} bytes left out …\n[^]*13x*\n$/)
    expect(Buffer.byteLength(text)).to.be.lessThan(1_048_576 + 100)
    const left = Number(/… (\d+) bytes/.exec(text)?.[1])
    expect(Buffer.byteLength(text) - `… ${left} bytes left out …\n`.length - 4 + left).to.equal(
      1_400_000,
    )
  })

  describe('with follow=true', () => {
    it('sends each line as it is written, including the last', async () => {
      const id = await submit('chain')
      const { response, until, end: ended } = await follow(id)
      expect(response.headers['content-type']).to.equal('text/plain; charset=utf-8')
      const pod = await start(app, id)
      await write(id, pod, 0, 'one\n')
      expect(await until(/one/)).to.equal('==> step 0 <==\none\n')
      await write(id, pod, 0, 'two\n')
      await until(/two/)
      await write(id, pod, 1, 'three\n')
      await until(/three/)
      await end(id, pod, [{ step: 1, sequence: sequence++, text: 'four\n' }])
      expect(await ended()).to.equal('==> step 0 <==\none\ntwo\n==> step 1 <==\nthree\nfour\n')
    })

    it('sends one step alone', async () => {
      const id = await submit('chain')
      const pod = await start(app, id)
      const { until, end: ended } = await follow(id, '&step=1')
      await write(id, pod, 0, 'one\n')
      await write(id, pod, 1, 'two\n')
      await until(/two/)
      await end(id, pod)
      expect(await ended()).to.equal('two\n')
    })

    it('reads new rows once for all followers of a command', async () => {
      const reads: unknown[] = []
      const counted = {
        ...app.store,
        readLogs: (...range: Parameters<Store['readLogs']>) => {
          reads.push(range[1])
          return app.store.readLogs(...range)
        },
      }
      const own = await startTestApp(
        { effects: stillEffects(), store: counted, objects: app.objects },
        app,
      )
      const id = await submit()
      const pod = await start(app, id)
      await write(id, pod, 0, 'one\n')
      const open = () => openStream(`${own.url}/v1/commands/${id}/logs?follow=true`, app.key)
      const streams = await Promise.all([open(), open(), open()])
      await Promise.all(streams.map(({ until }) => until(/one/)))
      const before = reads.length
      await write(id, pod, 0, 'two\n')
      await Promise.all(streams.map(({ until }) => until(/two/)))
      expect(reads.length - before).to.equal(1)
      await end(id, pod)
      const all = await Promise.all(streams.map(({ end: ended }) => ended()))
      expect(all).to.deep.equal(Array(3).fill('one\ntwo\n'))
      await own.close()
    })

    it('the stream continues in the object when the last rows were moved before they were read', async () => {
      const id = await submit('chain')
      const pod = await start(app, id)
      await write(id, pod, 0, 'one\n')
      let moved = false
      const late = {
        ...app.store,
        async readLogs(...range: Parameters<Store['readLogs']>) {
          const state = await app.store.findState(app.account.accountId, id)
          if (state?.status === 'FAILED' && !moved) {
            moved = true
            await moveToObject(id, ['one\nzwölf\n', 'two\n'])
          }
          return app.store.readLogs(...range)
        },
      }
      const own = await startTestApp(
        { effects: stillEffects(), store: late, objects: app.objects },
        app,
      )
      const stream = await openStream(`${own.url}/v1/commands/${id}/logs?follow=true`, app.key)
      await stream.until(/one/)
      await end(id, pod, [
        { step: 0, sequence: sequence++, text: 'zwölf\n' },
        { step: 1, sequence: sequence++, text: 'two\n' },
      ])
      expect(await stream.end()).to.equal('==> step 0 <==\none\nzwölf\n==> step 1 <==\ntwo\n')
      await own.close()
    })

    it('a followed log is aborted, not ended, when the server stops', async () => {
      const id = await submit()
      const pod = await start(app, id)
      await write(id, pod, 0, 'one\n')
      const { until, end: ended } = await follow(id)
      await until(/one/)
      draining.abort()
      const error = await rejectionOf(ended())
      expect(String(error)).to.contain('cut off')
    })
  })

  it('rejects a step that the command does not have', async () => {
    const id = await submit()
    const answered = await app.call(`/v1/commands/${id}/logs?step=1`)
    expect(refusalOf(answered)).to.deep.equal([422, 'query.step less_than_equal'])
    for (const query of ['step=-1', 'step=x', 'follow=maybe']) {
      expect((await app.call(`/v1/commands/${id}/logs?${query}`)).status, query).to.equal(422)
    }
  })

  it("returns 404 for unknown ids and other accounts' ids, and rejects invalid ids", async () => {
    for (const id of [unknownId, await app.submit({}, { key: foreignKey })]) {
      expect((await app.call(`/v1/commands/${id}/logs`)).status).to.equal(404)
    }
    expect((await app.call('/v1/commands/17/logs')).status).to.equal(422)
  })
})
