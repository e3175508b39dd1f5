import { expect } from 'chai'
import { migrate } from '../../../common/database/migration/migrate.ts'
import { parseMigration } from '../../../common/database/migration/migration-files.ts'
import { ownLevel } from '../../../common/database/migration/schema-check.ts'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { testPool } from '../../../testing/support/database.ts'
import { helmRollback, helmUpgrade, merge } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import type { Environment } from '../../steps/environment.ts'
import { serverRestarts } from '../../steps/server-pods.ts'
import { runsFor, untilEnd } from '../../steps/submit-and-wait.ts'
import type { Database } from '../../../common/database/connection/query.ts'

const betweenSubmissionsMs = 1_000

describe('an upgrade and its rollback', function () {
  this.timeout(600_000)
  const env = useEnvironment()
  let database: Database
  before(() => {
    const { url } = env.installed.values['database'] as { url: string }
    database = testPool(url)
  })
  after(async () => {
    const version = (await ownLevel()).level + 1
    for (const undo of [
      'alter table commands drop column if exists of_next_release',
      `delete from schema_steps where version = ${version}`,
      `delete from schema_levels where version = ${version}`,
    ]) {
      await database.query('story_undo', undo)
    }
    await database.close()
  })

  it('refuse no submission, lose no command and start none twice, on the schema of the next release', async () => {
    const { cluster, installed } = env
    const submitting = submitEachSecond(env)
    try {
      await migrateAsNextRelease(database)
      const more = { extraEnv: [{ name: 'STORY_OF_UPGRADE', value: 'next' }] }
      const next = merge(installed.values, { apiServer: more, operator: more })
      await helmUpgrade(cluster, installed.namespace, next)
      await helmRollback(cluster, installed.namespace)
    } finally {
      await submitting.stop()
    }
    expect(submitting.refused).to.deep.equal([])
    // At least the time of two rollouts.
    expect(submitting.accepted.length).to.be.at.least(5)
    const records = await Promise.all(submitting.accepted.map((id) => untilEnd(env.client, id)))
    for (const record of records) expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    // All pods are new.
    expect(await serverRestarts(env)).to.match(/^(?:\S+=0 ?)+$/)
    console.log(`      ${records.length} submissions beside two rollouts, 0 refused`)
  })
})

/** The expand file of a release that this one does not know, as its program would apply it. */
async function migrateAsNextRelease(database: Database): Promise<void> {
  const { files, level } = await ownLevel()
  const next = parseMigration(
    `${String(level + 1).padStart(4, '0')}_next_release.sql`,
    `-- phase: expand
-- oldest: ${level}
-- step: of_next_release
alter table commands add column if not exists of_next_release text;
-- step: commands_of_next_release
create index concurrently commands_of_next_release on commands (of_next_release) where of_next_release is not null;
`,
  )
  const release = 'next'
  await migrate({ database, effects: systemEffects(), release, files: [...files, next] })
}

/** Without retries and each on a connection of its own, so that a replica that ends is noticed. */
function submitEachSecond({ installed }: Environment) {
  const accepted: string[] = []
  const refused: string[] = []
  const ending = new AbortController()
  const submit = async (): Promise<void> => {
    try {
      const answer = await fetch(`${installed.url}/v1/run-ffmpeg-command`, {
        method: 'POST',
        headers: { 'x-api-key': installed.apiKey, connection: 'close' },
        body: JSON.stringify(runsFor(2)),
      })
      const text = await answer.text()
      if (!answer.ok) refused.push(`${answer.status} ${text}`)
      else accepted.push((JSON.parse(text) as { command_id: string }).command_id)
    } catch (error) {
      refused.push(String(error))
    }
  }
  const running = (async () => {
    while (!ending.signal.aborted) {
      await submit()
      await new Promise((next) => setTimeout(next, betweenSubmissionsMs))
    }
  })()
  return {
    accepted,
    refused,
    async stop() {
      ending.abort()
      await running
    },
  }
}
