import { expect } from 'chai'
import { customResourceName } from '../../common/domain/resource-names.ts'
import { newId } from '../../testing/store-contract/fixtures.ts'
import { dispatchedObject } from './dispatched-object.fixture.ts'
import { useWorld } from './use-world.fixture.ts'
import { account, guest, namespace } from './world-parts.fixture.ts'

const other = { ...account, accountId: '0197a0c2-0000-7000-8000-000000000002', name: 'umbrella' }
const command = {
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: 'https://media.example/a.mp4' },
  outputFiles: { out_1: 'b.mp4' },
  vcpuCount: 2,
  maxRunSeconds: 60,
  private: false,
}
const file = { source: { url: 'https://media.example/a.mp4' }, private: false }

describe('controller, for applied objects of several accounts', () => {
  const world = useWorld({}, { accounts: { bindings: new Map([[guest, ['umbrella']]]) } })
  beforeEach(() => world.store.ensureAccount(other))

  async function applied(
    kind: 'FfmpegCommand' | 'StoredFile',
    spec: object,
    at = namespace,
  ): Promise<Record<string, unknown>> {
    const { metadata } = world.server.cluster.create(kind, at, { metadata: { name: 'own' }, spec })
    await world.clock.advance(3_000)
    const row = await world.store.findForReconcile(metadata.uid)
    const { status } = world.server.cluster.get(kind, at, 'own') ?? {}
    return { account: row?.accountName, reason: status?.['reason'], message: status?.['message'] }
  }

  for (const [kind, spec] of [
    ['FfmpegCommand', command],
    ['StoredFile', file],
  ] as const) {
    it(`takes a ${kind} of the default account, by both its names`, async () => {
      expect(await applied(kind, spec)).to.include({ account: 'acme' })
    })

    it(`refuses a ${kind} of another account with the reason, without a row, and lets it go`, async () => {
      const refused = await applied(kind, { ...spec, account: 'umbrella' })
      expect(refused).to.include({ account: undefined, reason: 'Rejected' })
      expect(refused['message']).to.match(
        /^spec\.account 'umbrella' may not be named .* use one of acme;/,
      )
      expect(world.events).to.deep.equal(['Rejected'])
      world.server.cluster.delete(kind, namespace, 'own')
      await world.clock.advance(3_000)
      expect(world.server.cluster.get(kind, namespace, 'own')).to.equal(null)
    })

    it(`lets a ${kind} name the accounts of its namespace's binding, and no other there`, async () => {
      expect(await applied(kind, { ...spec, account: 'umbrella' }, guest)).to.include({
        account: 'umbrella',
      })
      world.server.cluster.delete(kind, guest, 'own')
      await world.clock.advance(3_000)
    })
  }

  it('refuses the default account where the binding of the namespace does not have it', async () => {
    expect(await applied('FfmpegCommand', command, guest)).to.include({ reason: 'Rejected' })
  })

  it('says the same of an account that does not exist as of one that does', async () => {
    const refused = await applied('FfmpegCommand', { ...command, account: 'nothing' })
    expect(refused['message']).to.match(/^spec\.account 'nothing' may not be named/)
  })

  it('ends a command that would publish a private file, and takes it with private outputs', async () => {
    const inputFiles = { in_1: `https://cdn.example/private/${account.accountId}/x/p/o.mp4` }
    const refused = await applied('FfmpegCommand', { ...command, inputFiles })
    expect(refused).to.include({ account: 'acme' })
    expect(world.status('own')).to.include({ state: 'FAILED', errorStatus: 'INVALID_COMMAND' })
    expect(world.status('own')?.errorMessage).to.match(/^in_1 is a private file, .* spec\.private/)
    expect(world.jobNames()).to.deep.equal([])
  })

  it('refuses a public stored file of a private one', async () => {
    const url = `https://cdn.example/private/${account.accountId}/x/p/o.mp4`
    const refused = await applied('StoredFile', { source: { url }, private: false })
    expect(refused).to.include({ account: undefined, reason: 'Rejected' })
    expect(refused['message']).to.match(/^spec\.source\.url is a private file/)
  })
})

describe('controller, for objects with an id and without a row', () => {
  const world = useWorld()
  const id = newId()
  const [ofCommand, ofFile] = [customResourceName(id), customResourceName(id, 'StoredFile')]

  const cases: [string, 'FfmpegCommand' | 'StoredFile', object][] = [
    ['a command', 'FfmpegCommand', { ...command, commandId: id, account: 'acme' }],
    ['a stored file', 'StoredFile', { ...file, fileId: id, account: 'acme' }],
  ]
  for (const [what, kind, spec] of cases) {
    const name = kind === 'StoredFile' ? ofFile : ofCommand

    it(`refuses ${what} that dispatch has not made, with the remedy`, async () => {
      const annotations = { 'cloudffmpeg.dev/mark': 'guessed' }
      world.server.cluster.create(kind, namespace, { metadata: { name, annotations }, spec })
      await world.clock.advance(3_000)
      expect(await world.store.findForReconcile(id)).to.equal(null)
      const status = world.server.cluster.get(kind, namespace, name)?.status
      expect(status).to.include({ state: 'FAILED', reason: 'NotOurs' })
      expect(status?.['message']).to.match(/leave the id out and apply a new object$/)
      expect(world.jobNames()).to.deep.equal([])
    })
  }

  it('refuses one with the mark of another command', async () => {
    const key = await world.store.readDispatchKey()
    const seen = dispatchedObject(key, { ...command, commandId: id, account: 'acme' })
    const spec = { ...seen.spec, account: 'umbrella' }
    await world.store.ensureAccount(other)
    world.server.cluster.create('FfmpegCommand', namespace, { metadata: seen.metadata, spec })
    await world.clock.advance(3_000)
    expect(world.status(ofCommand)).to.include({ reason: 'NotOurs' })
    expect(await world.store.findForReconcile(id)).to.equal(null)
  })

  it('takes a lost one of dispatch in again, of any account, with a public output of a private file', async () => {
    await world.store.ensureAccount(other)
    const inputFiles = { in_1: `https://cdn.example/private/${other.accountId}/x/p/o.mp4` }
    await world.dispatched({ ...command, commandId: id, account: 'umbrella', inputFiles })
    await world.clock.advance(3_000)
    expect(await world.rowOf(id)).to.include({ accountName: 'umbrella', status: 'QUEUED' })
  })
})

describe('controller, for many objects of an account whose queue is nearly full', () => {
  const limit = 4
  const world = useWorld({ maxQueued: limit, maxQueuedFiles: limit, vcpuTotal: 4 })

  it('lets no list grow above its limit, with ids of their own or without', async () => {
    for (let index = 0; index < 3 * limit; index += 1) {
      const id = newId()
      const metadata = (kind: 'FfmpegCommand' | 'StoredFile') => ({
        name: index % 2 === 0 ? `own-${index}` : customResourceName(id, kind),
      })
      const ids = index % 2 === 0 ? {} : { commandId: id }
      const fileIds = index % 2 === 0 ? {} : { fileId: id }
      world.server.cluster.create('FfmpegCommand', namespace, {
        metadata: metadata('FfmpegCommand'),
        spec: { ...command, ...ids, vcpuCount: 4 },
      })
      world.server.cluster.create('StoredFile', namespace, {
        metadata: metadata('StoredFile'),
        spec: { ...file, ...fileIds },
      })
    }
    await world.clock.advance(30_000)
    for (const list of ['commands', 'files'] as const) {
      const { queued } = await world.store.readQueue(world.accountId, list)
      expect(queued, list).to.be.within(0, limit)
    }
  })
})
