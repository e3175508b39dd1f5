import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { clusterSettings } from '../cluster/host/settings.ts'
import { startAttackOrigin } from '../../testing/attacks/over-rest/attack-origin.ts'
import type { AttackOrigin } from '../../testing/attacks/over-rest/attack-origin.ts'
import { attackService } from '../../testing/attacks/over-rest/attack-service.ts'
import { makeFilm } from '../../testing/attacks/over-rest/attack-submission.ts'
import type { Target } from '../../testing/attacks/over-rest/attack-service.ts'
import { runnerRoot } from '../installation/build-runner.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { runsFor, submitAndWait } from '../steps/submit-and-wait.ts'

/** Those that the service answers at once, and some that it runs; `ATTACKS=.` is all. */
const wanted = new RegExp(
  process.env['ATTACKS'] ??
    '^refused|^body|^archive: a (name above|link)|^address: .*(169|\\[::1)|^content: .*(environ|key|entity|commands)|^command: (files|messages|threads|filter) ',
)

describe('an attacker', function () {
  this.timeout(900_000)
  let env: Environment
  let folder = ''
  let origin: AttackOrigin
  let target: Target
  let restartsBefore = ''
  before(async function () {
    env = await environment(this)
    folder = await mkdtemp(path.join(tmpdir(), 'attacks-'))
    const root = await runnerRoot({ settings: clusterSettings(process.env), say: () => undefined })
    const film = await makeFilm(root, folder)
    origin = await startAttackOrigin(env.cluster.hostAddress)
    const { url, apiKey } = env.installed
    const own = [`${url}/v1/files`, `${env.s3.endpoint}/`]
    target = { client: env.client, origin, film, url, apiKey, own }
    restartsBefore = await restarts()
  })
  after(async () => {
    await origin.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('gets no file, no connection and no way out by any command, file, archive, address or body', async () => {
    const achieved: Record<string, string[]> = {}
    for (const outcome of await attackService(target, (name) => wanted.test(name))) {
      const found = await outcome.achieved.catch((error: unknown) => [String(error)])
      if (found.length > 0) achieved[outcome.name] = found
    }
    expect(achieved).to.deep.equal({})
  })

  it('leaves a service behind that works, and an API server that never ended', async () => {
    expect((await submitAndWait(env.client, runsFor(1))).error_message).to.equal(null)
    expect(await restarts()).to.equal(restartsBefore)
  })

  function restarts(): Promise<string> {
    return env.kubectl(
      ...['get', 'pods', '-l', 'app.kubernetes.io/component=api-server'],
      ...['-o', 'jsonpath={.items[*].status.containerStatuses[*].restartCount}'],
    )
  }
})
