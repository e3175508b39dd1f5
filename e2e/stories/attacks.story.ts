import { expect } from 'chai'
import { attackService } from '../../testing/attacks/over-rest/attack-service.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import type { Target } from '../../testing/attacks/over-rest/attack-service.ts'
import { runsFor, submitAndWait } from '../steps/submit-and-wait.ts'

/** Those that the service answers at once, and some that it runs; `ATTACKS=.` is all. */
const wanted = new RegExp(
  process.env['ATTACKS'] ??
    '^refused|^body|^archive: a (name above|link)|^address: .*(169|\\[::1)|^content: .*(environ|key|entity|commands)|^command: (files|messages|threads|filter) ',
)

describe('an attacker', function () {
  this.timeout(900_000)
  let env: Environment
  let target: Target
  let restartsBefore = ''
  before(async function () {
    env = await environment(this)
    const { client, cluster, installed, s3 } = env
    const { url, apiKey } = installed
    target = {
      client,
      url,
      apiKey,
      address: cluster.hostAddress,
      say: () => undefined,
      own: [`${url}/v1/files`, `${s3.endpoint}/`],
    }
    restartsBefore = await restarts()
  })
  it('an attacker gets no file, no connection and no way out by any command, file, archive, address or body', async () => {
    const { verdicts, close } = await attackService(target, (name) => wanted.test(name))
    const achieved: Record<string, string[]> = {}
    for (const { name, found } of verdicts) {
      const words = await found.catch((error: unknown) => [String(error)])
      if (words.length > 0) achieved[name] = words
    }
    await close()
    expect(achieved).to.deep.equal({})
  })

  it('an attacker leaves a service behind that works, and an API server that never ended', async () => {
    expect((await submitAndWait(env.client, runsFor(1))).error_message).to.equal(null)
    expect(await restarts()).to.equal(restartsBefore)
  })

  function restarts(): Promise<string> {
    return env.kubectl(
      'get',
      'pods',
      '-l',
      'app.kubernetes.io/component=api-server',
      '-o',
      'jsonpath={.items[*].status.containerStatuses[*].restartCount}',
    )
  }
})
