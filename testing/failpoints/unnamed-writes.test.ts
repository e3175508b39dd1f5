import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { unnamedWrites, writesOf } from './unnamed-writes.ts'

/** Writes without a failpoint of their own, as docs/decisions/0007-failpoints.md says of each group. */
const exempt = {
  'best-effort': [
    'operator/machinery/event-recorder.ts create',
    'operator/machinery/event-recorder.ts mergePatch',
    'api-server/server/authenticate.ts noteKeyUse',
    'api-server/server/unknown-keys.ts takeClientToken',
    'api-server/limits/rate-limits.ts takeTokens',
    'api-server/limits/rate-limits.ts giveTokensBack',
    'api-server/accounts/registration/registration.ts takeClientToken',
  ],
  'calls of administrators': /^api-server\/admin\//,
  'functions that are called within a failpoint': [
    'common/kubernetes/resources/create-or-find.ts create',
    'operator/loops/retention/delete-accounts.ts removeAccountEvents',
    'operator/loops/retention/delete-accounts.ts removeSweptFiles',
    'operator/import/import.ts importFile',
    'operator/import/import.ts importCommand',
    'operator/import/import.ts importRefused',
    'api-server/dispatch/canary.ts mergePatch',
    'api-server/dispatch/canary.ts create',
  ],
  'maps in memory': [
    'runner-image/transfer/upload/stored-objects.ts delete',
    'runner-image/ffmpeg/carry-out-orders.ts delete',
    'operator/observe/deleted-pods.ts delete',
    'operator/machinery/reflector/object-cache.ts delete',
  ],
}

const root = path.resolve(import.meta.dirname, '../..')

describe('writes to the store, the bucket and the cluster', () => {
  const sources = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
      .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
  const interfaces = [
    ...sources('common/store/**/*.ts'),
    ...sources('common/storage/object-store.ts'),
    ...sources('common/kubernetes/resources/resource.ts'),
  ]
  const methods = writesOf(interfaces.map(({ text }) => text))
  const found = sources('{api-server,operator,runner-image,common}/**/*.ts')
    .filter(({ file }) => !/^common\/(?:database|store|storage)\//.test(file))
    .flatMap((source) => unnamedWrites(source, methods))
  const { 'calls of administrators': ofAdministrators, ...listed } = exempt
  const listedWrites = Object.values(listed).flat()

  it('all writes to store, bucket and cluster have a failpoint, or are listed as needing none', () => {
    expect(methods).to.include.members(['markDispatched', 'putBytes', 'mergePatch'])
    const unnamed = found.filter((write) => !ofAdministrators.test(write))
    expect([...new Set(unnamed)]).to.have.members(listedWrites)
  })
})

describe('unnamedWrites', () => {
  const file = 'operator/a.ts'

  it('returns a write beside a failpoint, and leaves out a write within one', () => {
    const named = `await effects.failpoint('a.b', () =>\n  deps.store.markSwept('(', /\\)/))`
    const text = `${named}\nawait deps.store.markSwept(id)\nawait other.markSwept(id) // store.markSwept(`
    expect(unnamedWrites({ file, text }, ['markSwept'])).to.deep.equal([`${file} markSwept`])
  })

  it('takes a name behind other arguments', () => {
    const text = `rowChange(deps, snapshot, 'a.b', (id) =>\n  store.markSwept(id, ')'),\n)`
    expect(unnamedWrites({ file, text }, ['markSwept'])).to.deep.equal([])
  })
})

describe('writesOf', () => {
  it('returns the methods that do not only read', () => {
    const text =
      'interface A {\n  findOne(id: string): One\n  markSwept(\n    id: string,\n  ): Two\n}'
    expect(writesOf([text])).to.deep.equal(['markSwept'])
  })
})
