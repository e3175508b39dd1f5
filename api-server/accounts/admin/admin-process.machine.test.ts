import { expect } from 'chai'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { openEmptyDatabase, openTestDatabase } from '../../../testing/support/database.ts'
import type { TestDatabase } from '../../../testing/support/database.ts'

const main = path.resolve(import.meta.dirname, '../../main.ts')
const plan = { vcpuPerCommand: 4, maxRunSeconds: 60 }
const features = { chained: true, uploads: true, private: true, webhooks: true }
const environment = {
  CLOUD_FFMPEG_NAMESPACE: 'media',
  CLOUD_FFMPEG_PLANS: JSON.stringify({
    free: { ...plan, ...features },
    unlimited: { ...plan, ...features },
  }),
  CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: 'https://files.example/media',
  CLOUD_FFMPEG_STORAGE_ENDPOINT: 'https://s3.example',
  CLOUD_FFMPEG_STORAGE_BUCKET: 'media',
  CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'id',
  CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'secret',
}

async function adminOn(databaseUrl: string, ...args: string[]) {
  const env = { ...environment, CLOUD_FFMPEG_DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [main, 'admin', ...args], { env })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output, errors }
}

describe('the administration, as a process', () => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database.close())

  it('runs a command and prints its result as text or as JSON', async () => {
    const { connectionString } = database
    const made = await adminOn(connectionString, 'accounts', 'create', 'acme', '--json')
    expect(made.errors).to.equal('')
    expect(made.code).to.equal(0)
    expect(JSON.parse(made.output)).to.deep.include({ name: 'acme', plan: 'free', keys: 1 })
    const shown = await adminOn(connectionString, 'accounts', 'show', 'acme')
    expect(shown.output)
      .to.match(/^NAME +PLAN +STATE/)
      .and.match(/acme +free +active/)
  })

  it('exits with 1 when a command fails, and with 2 when its arguments are wrong', async () => {
    const refused = await adminOn(database.connectionString, 'accounts', 'show', 'absent')
    expect(refused).to.deep.include({ code: 1, output: '' })
    expect(refused.errors).to.match(/^admin: account 'absent' does not exist/)
    const unknown = await adminOn(database.connectionString, 'accounts', 'remove', 'acme')
    expect(unknown).to.deep.include({ code: 2, output: '' })
  })

  it('reports a database that does not answer or has no schema yet', async () => {
    const away = await adminOn('postgres://unused@127.0.0.1:1/none', 'accounts', 'list')
    expect(away.errors).to.match(/^admin: the database is unavailable: .*ECONNREFUSED/)
    expect(away.code).to.equal(1)
    const empty = await openEmptyDatabase()
    const early = await adminOn(empty.connectionString, 'accounts', 'list')
    expect(early.errors).to.match(/schema version 0, this program needs/)
    expect(early.code).to.equal(1)
    await empty.close()
  })
})
