import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { environmentWith } from '../api-server/main.fixture.ts'
import { migrationNames } from '../common/database/migration/migration-names.ts'
import { appliedMigrations } from '../common/database/migration/schema-check.ts'
import { openEmptyDatabase } from '../testing/support/database.ts'
import { planWith } from '../testing/support/plans.ts'
import { bundleServer } from './bundle-server.ts'

describe('the bundled servers', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'bundles-'))
    await bundleServer('api-server', path.join(folder, 'api-server'))
    await bundleServer('operator', path.join(folder, 'operator'))
  })

  after(() => rm(folder, { recursive: true }))

  for (const program of [
    'api-server/api-server/main.mjs',
    // Scripts of users call it.
    'api-server/api-server/main.ts',
    'operator/operator/main.mjs',
    'operator/operator/uninstall/main.mjs',
  ]) {
    it(`loads all that ${program} needs at its start`, async () => {
      const { code, errors } = await run(path.join(folder, program), [])
      expect(errors).to.match(/is not set|--namespace NAMESPACE/)
      expect(code).to.be.oneOf([1, 2])
    })
  }

  it('bundled servers name sources in stack traces', async () => {
    const map = path.join(folder, 'operator/operator/main.mjs.map')
    const { sources } = JSON.parse(await readFile(map, 'utf8')) as { sources: string[] }
    expect(sources).to.include.members(['main.ts', '../common/settings/settings.ts'])
  })

  it('bundled servers are the same wherever they are written, so that an image is built once', async () => {
    const again = path.join(folder, 'somewhere/else')
    await bundleServer('operator', again)
    const first = path.join(folder, 'operator')
    const names = await readdir(first, { recursive: true, withFileTypes: true })
    expect(names.length).to.be.greaterThan(20)
    for (const entry of names.filter((each) => each.isFile())) {
      const name = path.relative(first, path.join(entry.parentPath, entry.name))
      const bytes = await readFile(path.join(again, name))
      expect(bytes.equals(await readFile(path.join(first, name))), name).to.equal(true)
    }
  })

  it('bundled servers carry the licences of the packages in them, and their files', async () => {
    const root = path.join(folder, 'api-server')
    const table = await readFile(path.join(root, 'licences/packages.tsv'), 'utf8')
    for (const name of ['pg', 'swagger-ui-dist', '@aws-sdk/client-s3', 'preact', 'vitepress']) {
      const row = new RegExp(`^${name}\t([^\t]+)\t`, 'm').exec(table)
      await access(path.join(root, `licences/${name}@${row?.[1] ?? ''}/LICENSE`))
    }
    for (const file of [
      'api-server/console/static/manifest.json',
      ...['manifest.json', 'guides/recipes.html'].map((name) => `api-server/docs/static/${name}`),
    ]) {
      await access(path.join(root, file))
    }
    const migrations = await readdir(path.join(root, 'common/database/migrations'))
    expect(migrations).to.include('0001_accounts.sql')
  })

  it('bundled servers migrate a database', async () => {
    const opened = await openEmptyDatabase()
    const main = path.join(folder, 'api-server/api-server/main.mjs')
    const environment = environmentWith(opened.connectionString, { unlimited: planWith({}) })
    expect(await run(main, ['migrate'], environment)).to.deep.equal({ code: 0, errors: '' })
    const applied = await appliedMigrations(opened.database.query)
    expect(applied).to.deep.equal(await migrationNames())
    await opened.close()
  })
})

async function run(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: unknown; errors: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit') as Promise<unknown[]>,
  ])
  return { code, errors }
}
