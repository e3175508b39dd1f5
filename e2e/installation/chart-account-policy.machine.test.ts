import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { runGo } from '../../local-cluster/tools/go.ts'
import { useChart } from './chart.fixture.ts'

/** Variables of the expressions of a policy. */
interface Admission {
  readonly operation: 'CREATE' | 'UPDATE'
  readonly username: string
  readonly account: string
  /** The account of the stored object, null for a new one. */
  readonly before: string | null
}

const user = 'jane'
const serviceAccount = (name: string) => `system:serviceaccount:media:${name}`

describe('the account policy of the chart', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let policy: unknown
  before(async () => {
    const objects = await render('everything')
    policy = objects.find(({ kind }) => kind === 'ValidatingAdmissionPolicy')?.spec
  })
  const decisions = (...admissions: readonly Admission[]) => evaluate(policy, admissions)

  const created = (account: string, username = user): Admission => ({
    operation: 'CREATE',
    username,
    account,
    before: null,
  })
  const changed = (before: string, account: string, username = user): Admission => ({
    operation: 'UPDATE',
    username,
    account,
    before,
  })

  it('refuses a new object of an account that is not bound, and allows one of a bound account', async () => {
    expect(await decisions(created('other'), created('acme'))).to.deep.equal([
      "spec.account 'other' is not allowed in namespace team-a: use one of acme,acme-dev",
      'allowed',
    ])
  })

  it('passes the objects that the servers of the release create', async () => {
    const servers = [serviceAccount('video-api-server'), serviceAccount('my-operator')]
    expect(await decisions(...servers.map((name) => created('other', name)))).to.deep.equal([
      'skipped',
      'skipped',
    ])
  })

  it('passes a change that keeps the account, because finalizers have to go from objects of every account', async () => {
    const changers = [
      user,
      serviceAccount('video-uninstall'),
      'system:serviceaccount:kube-system:generic-garbage-collector',
    ]
    const changes = changers.map((name) => changed('other', 'other', name))
    expect(await decisions(...changes)).to.deep.equal(changers.map(() => 'skipped'))
  })

  it('refuses a change to an account that is not bound', async () => {
    expect(await decisions(changed('acme', 'other'), changed('other', 'acme'))).to.deep.equal([
      "spec.account 'other' is not allowed in namespace team-a: use one of acme,acme-dev",
      'allowed',
    ])
  })
})

/** cel-go is among the modules of the cluster's tools, in the version that Kubernetes has. */
async function evaluate(policy: unknown, admissions: readonly Admission[]): Promise<string[]> {
  const requests = admissions.map(({ operation, username, account, before }) => ({
    request: { operation, namespace: 'team-a', userInfo: { username } },
    object: { spec: { account } },
    oldObject: before === null ? null : { spec: { account: before } },
    params: { data: { accounts: 'acme,acme-dev' } },
  }))
  const folder = await mkdtemp(path.join(tmpdir(), 'account-policy-'))
  try {
    const file = path.join(folder, 'requests.json')
    await writeFile(file, JSON.stringify({ policy, requests }))
    const program = path.join(import.meta.dirname, 'account-policy.fixture.go')
    const cwd = path.resolve(import.meta.dirname, '../../local-cluster/tools/kubernetes')
    const what = 'evaluating an admission policy as kube-apiserver does'
    // The flags are those of the tools, so that Go's build cache has what they compiled.
    const flags = ['-trimpath', '-gcflags=all=-dwarf=false -l', '-ldflags=-s -w']
    const answer = await runGo(['run', ...flags, program, file], { cwd, what })
    return answer.trim().split('\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
