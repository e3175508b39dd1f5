import { expect } from 'chai'
import { readEvents } from './read-events.ts'
import { scriptedClient, silence } from './scripted-client.fixture.ts'

const event = (status: string): string =>
  `event: status\ndata: ${JSON.stringify({ command_id: 'c', status })}\n\n`

/** An answer in chunks; `broken`: the connection breaks before the end. */
function stream(pieces: (string | Uint8Array)[], broken = false): () => Response {
  const bytes = pieces.map((one) => (typeof one === 'string' ? new TextEncoder().encode(one) : one))
  return () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          const next = bytes.shift()
          if (next !== undefined) controller.enqueue(next)
          else if (broken) controller.error(new TypeError('terminated'))
          else controller.close()
        },
      }),
    )
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found = []
  for await (const item of items) found.push(item)
  return found
}

async function* each(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces
}

describe('events', () => {
  it('reads events in any chunks', async () => {
    const text = `: hello\n\ndata: one\ndata:two\nid: 7\n\r\nevent: file\r\ndata: three\r\n\r\nevent: bye\ndata: x\n\ndata: half`
    const expected = [
      { name: 'status', data: 'one\ntwo' },
      { name: 'file', data: 'three' },
    ]
    for (let cut = 0; cut <= text.length; cut++) {
      const found = await all(
        readEvents(each(text.slice(0, cut), text.slice(cut)), 'status', 'file'),
      )
      expect(found, `cut at ${cut}`).to.deep.equal(expected)
    }
  })

  it('events continue after a broken connection until the command has ended', async () => {
    const { client, sent } = scriptedClient([
      stream([event('QUEUED'), event('PROCESSING').slice(0, 20)], true),
      silence,
      stream([event('PROCESSING')]),
      stream([event('SUCCESS'), event('never')]),
    ])
    const found = await all(client.getCommandEvents('c'))
    expect(found.map(({ status }) => status)).to.deep.equal(['QUEUED', 'PROCESSING', 'SUCCESS'])
    expect(sent.map(({ path }) => path)).to.deep.equal(Array(4).fill('/v1/commands/c/events'))
  })
})

describe('events of an account', () => {
  it('events of an account continue after each end of the stream until the signal aborts', async () => {
    const named = (state: string) => event(state).replace('status', 'command')
    const { client, sent } = scriptedClient([
      stream([named('QUEUED'), 'event: other\ndata: {}\n\n', 'retry: 1000\n\n']),
      stream([named('PROCESSING'), named('SUCCESS').slice(0, 30)], true),
      stream([named('SUCCESS'), named('QUEUED')]),
    ])
    const stop = new AbortController()
    const found: string[] = []
    let connections = 0
    const options = { signal: stop.signal, onConnect: () => void (connections += 1) }
    for await (const { status } of client.getEvents(options)) {
      found.push(status)
      if (connections === 3) break
    }
    expect(found).to.deep.equal(['QUEUED', 'PROCESSING', 'SUCCESS'])
    expect(sent.map(({ path }) => path)).to.deep.equal(Array(3).fill('/v1/events'))
  })
})

describe('events of files', () => {
  it('events of files are asked for when the caller takes them', async () => {
    const one = { file_id: 'f', status: 'STORED', command_id: null }
    const { client, sent } = scriptedClient([
      stream([`event: file\ndata: ${JSON.stringify(one)}\n\n`, 'event: command\ndata: {}\n\n']),
    ])
    const files: unknown[] = []
    for await (const _ of client.getEvents({ onFile: (event) => files.push(event) })) break
    expect(files).to.deep.equal([one])
    expect(sent.map(({ path }) => path)).to.deep.equal(['/v1/events?files=true'])
  })
})

describe('followed logs', () => {
  it('followed logs return every line once despite broken connections and split characters', async () => {
    const bytes = new TextEncoder().encode('é')
    const { client, sent } = scriptedClient([
      stream(['first\n', bytes.slice(0, 1), bytes.slice(1), 'sec'], true),
      stream(['first\néseco', 'nd\n']),
    ])
    expect((await all(client.followLogs('c', { step: 1 }))).join('')).to.equal('first\nésecond\n')
    expect(sent[0]?.path).to.equal('/v1/commands/c/logs?follow=true&step=1')
  })
})
