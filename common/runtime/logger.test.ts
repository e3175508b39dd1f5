import { expect } from 'chai'
import { loggerWith } from './logger.ts'
import type { LogFields } from './logger.ts'

function recorded(): {
  lines: { message: string; fields: LogFields }[]
  log: ReturnType<typeof loggerWith>
} {
  const lines: { message: string; fields: LogFields }[] = []
  const log = loggerWith({ component: 'test' }, (_level, message, fields) => {
    lines.push({ message, fields })
  })
  return { lines, log }
}

describe('a logger', () => {
  it('a logger never writes keys, tokens, passwords or the query of a presigned URL', () => {
    const { lines, log } = recorded()
    log.info('fetching https://s3.example/a.mp4?X-Amz-Signature=abc', {
      header: 'Bearer eyJhbGciOi.J9.x-_',
      database: 'postgres://app:secret@db/app',
      nested: { key: 'cff_0123456789abcdefghijklmnop' },
    })
    expect(JSON.stringify(lines)).not.to.match(/Signature|eyJ|secret|cff_0/)
    expect(lines[0]?.message).to.equal('fetching https://s3.example/a.mp4?…')
    expect(lines[0]?.fields['database']).to.equal('postgres://…@db/app')
  })

  it('takes keys in snake_case alone', () => {
    const { lines, log } = recorded()
    const ids = { commandId: 'x' }
    log.info('assigned', { command_id: 'x', account: 'acme' })
    // @ts-expect-error: the key has a capital letter
    log.info('assigned', { commandId: 'x' })
    // @ts-expect-error: so has the one that is spread
    log.info('assigned', { ...ids, account: 'acme' })
    // @ts-expect-error: and the one that each line of a child would have
    log.child(ids)
    expect(lines).to.have.length(3)
  })

  it('gives every line of a child its fields, and keeps the cause of an error', () => {
    const { lines, log } = recorded()
    const cause = new Error('inner')
    log.child({ command_id: 'x' }).warn('lost', { error: new Error('outer', { cause }) })
    expect(lines[0]?.fields).to.include({ component: 'test', command_id: 'x' })
    expect(lines[0]?.fields['error']).to.have.nested.property('cause.message', 'inner')
  })
})
