import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import ipaddr from 'ipaddr.js'
import { parse } from 'yaml'
import { chart, operatorSettingsIn, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

interface Policy {
  readonly egress: readonly { readonly to?: readonly { readonly ipBlock?: Block }[] }[]
}

interface Block {
  readonly cidr: string
  readonly except?: readonly string[]
}

describe('the values of the chart', function () {
  this.timeout(900_000)
  const { refusal, render } = useChart()

  it('the values take every default that values.yaml documents, null too', async () => {
    const [defaults, given] = await Promise.all([
      readValues('values.yaml'),
      readValues('ci/minimal-values.yaml'),
    ])
    const needed = new Set(leaves(given).map(([key]) => key))
    const set = leaves(defaults)
      .filter(([key]) => !needed.has(key))
      .flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`])
    expect(set).to.include.members(['runner.hostUsers=null', 'operator.liveJobs=null'])
    expect(await render('minimal', ...set)).to.deep.equal(await render('minimal'))
  })

  it('the values bound the FfmpegCommands of the namespace, above those of the service, or not at all', async () => {
    const quotas = async (...more: string[]) =>
      (await render('minimal', ...more)).filter(({ kind }) => kind === 'ResourceQuota')
    const [quota, ...others] = await quotas('--set', 'resourceQuota.ffmpegCommands=5000')
    expect(others).to.deep.equal([])
    expect(quota?.spec).to.deep.equal({ hard: { 'count/ffmpegcommands.cloudffmpeg.dev': '5000' } })
    // A quota is off by default: while the kind is new, it delays the first commands by up to 5 minutes.
    expect(await quotas()).to.deep.equal([])
    expect(await refusal('--set', 'resourceQuota.ffmpegCommands=1500')).to.include(
      'resourceQuota.ffmpegCommands must be greater than apiServer.liveCommands + operator.keepFinished, 1500; got 1500',
    )
  })

  it('the values bind accounts to namespaces, for all but the servers of the release', async () => {
    const objects = await render('everything')
    const named = (kind: string) =>
      objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name)
    expect(named('ValidatingAdmissionPolicy')).to.deep.equal(['media-video-accounts'])
    expect(named('ValidatingAdmissionPolicyBinding')).to.deep.equal(['media-video-accounts-team-a'])
    expect(named('ConfigMap')).to.include('video-accounts-team-a')
    expect(await refusal('--set-json', 'accountPolicy.bindings=[{"namespace":"team-a"}]')).to.match(
      /accountPolicy.*accounts/s,
    )
    const without = await render('minimal')
    expect(without.filter(({ kind }) => kind.startsWith('Validating'))).to.deep.equal([])
  })

  it('the values give runners a volume of their own where a claim is given', async () => {
    const claimOf = async (...more: string[]) =>
      operatorSettingsIn(await render('minimal', ...more)).runner.scratch.volumeClaim
    expect(await claimOf()).to.equal(null)
    const size = ['--set', 'runner.scratch.volumeClaim.size=100Gi']
    expect(await claimOf(...size)).to.deep.equal({ storageClassName: null, size: '100Gi' })
    expect(await refusal('--set', 'runner.scratch.volumeClaim.size=100')).to.include('size')
  })

  it('the values queue Jobs in Kueue, and leave the number of live Jobs to the operator', async () => {
    const settings = async (...more: string[]) =>
      operatorSettingsIn(await render('minimal', ...more))
    const { queue, operator } = await settings()
    expect([queue.kueue.enabled, operator.liveJobs]).to.deep.equal([false, null])
    const kueue = ['--set', 'queue.kueue.enabled=true,queue.kueue.priorityClasses.high=urgent']
    const queued = await settings(...kueue)
    expect(queued.queue.kueue).to.deep.equal({
      enabled: true,
      queueName: 'cloud-ffmpeg-{plan}',
      maxEvictions: 10,
      priorityClasses: { low: null, normal: null, high: 'urgent' },
    })
    expect(queued.operator.liveJobs).to.equal(null)
    const many = await settings('--set', 'operator.liveJobs=2000000')
    expect(many.operator.liveJobs).to.equal(2_000_000)
  })

  it('the values keep runners that wait for commands, with the rights that these need', async () => {
    const warm = ['--set-json', 'runner.warm={"min":1,"max":3,"reserve":0.5}']
    const without = await render('minimal', '--set', 'runner.warm.max=0')
    expect(operatorSettingsIn(without).runner.warm.max).to.equal(0)
    expect(JSON.stringify(without)).to.not.include('pods/resize')
    expect(operatorSettingsIn(await render('minimal')).runner.warm.max).to.equal(4)
    const objects = await render('minimal', ...warm)
    expect(operatorSettingsIn(objects).runner.warm).to.deep.include({
      min: 1,
      max: 3,
      reserve: 0.5,
      maxAgeSeconds: 1_800,
    })
    expect(JSON.stringify(objects)).to.include('pods/resize')
    const queued = ['--set', 'queue.kueue.enabled=true,queue.kueue.queueName=media']
    expect(JSON.stringify(await render('minimal', ...queued))).to.not.include('pods/resize')
  })

  it('the values take null for a limit of a plan, which then does not apply', async () => {
    const objects = await render('minimal', '--set-json', 'plans.free.storageMbytes=null')
    expect(operatorSettingsIn(objects).plans['free']?.storageMbytes).to.equal(null)
  })

  const refused: readonly [value: string, key: string, remedy: string][] = [
    ['database.url=mysql://user:password@db/name', 'database.url', 'postgres:// or postgresql://'],
    ['database.directUrl=pgbouncer', 'database.directUrl', 'postgres:// or postgresql://'],
    ['database.pooler=transaction', 'database.pooler', 'needs database.directUrl'],
    ['storage.credentials.mode=default', 'storage.accessKeyId', 'set the mode to static'],
    ['storage.prefix=/media', 'prefix', '[A-Za-z0-9._-]+/'],
    ['storage.bucket=ab', 'storage.bucket', 'at least 3 characters'],
    ['storage.sweepObjectsSeconds=1499', 'storage.sweepObjectsSeconds', 'which is 1500'],
    [
      'queue.kueue.enabled=true,queue.kueue.queueName=media_{plan}',
      'queue.kueue.queueName',
      "gives 'media_free', not a DNS label",
    ],
    [
      'gateway.tls.existingSecret=my-tls,gateway.tls.certManager.issuerRef.name=internal',
      'gateway.tls.existingSecret',
      'remove one of them',
    ],
    ['runner.warm.min=5', 'runner.warm.min', 'at most runner.warm.max, 4'],
    ['ingress.enabled=true', 'ingress.enabled', 'api.trustedProxies of at least 1'],
    [
      'httpRoute.enabled=true,httpRoute.parentRefs[0].name=public',
      'httpRoute.enabled',
      'api.trustedProxies of at least 1',
    ],
    ['httpRoute.enabled=true,api.trustedProxies=1', 'httpRoute.parentRefs', 'name: public'],
    ['apiServer.autoscaling.minReplicas=11', 'apiServer.autoscaling.minReplicas', 'at most'],
    [
      'apiServer.autoscaling.enabled=true,apiServer.autoscaling.targetCPUUtilizationPercentage=null',
      'apiServer.autoscaling',
      'targetCPUUtilizationPercentage or extraMetrics',
    ],
    [
      'operator.podDisruptionBudget.minAvailable=2',
      'operator.podDisruptionBudget.minAvailable',
      'lower it, or set maxUnavailable',
    ],
    [
      'apiServer.serviceAccount.create=false',
      'apiServer.serviceAccount.name',
      'a ServiceAccount of yours',
    ],
    ['runner.digest=sha256:12', 'digest', 'sha256:[0-9a-f]{64}'],
    ['apiServer.probes.startup.failureTreshold=3', 'failureTreshold', 'failureThreshold'],
    ['fullnameOverride=My_Release', 'fullnameOverride', '[-a-z0-9]'],
    [
      'runner.serviceAccount.annotations.eks\\.amazonaws\\.com/role-arn=arn',
      'runner.serviceAccount.annotations',
      'commands are untrusted',
    ],
    ['operator.appliedAccounts={Team_A}', 'appliedAccounts', '[a-z0-9-]'],
    ['operator.watchNamespaces={Team_A}', 'watchNamespaces', '[-a-z0-9]'],
    ['accounts.plan=gold', 'accounts.plan', 'use one of free, pro, unlimited'],
    ['bootstrap.plan=gold', 'bootstrap.plan', 'use one of free, pro, unlimited'],
    ...['network.allowCidrs', 'network.denyCidrs', 'networkPolicy.storageCidrs'].flatMap((key) =>
      ['10.0.0.0', '300.0.0.0/8', '10.0.0.0/33', '2001::db8::/32', '1:2:3/64', '::/129'].map(
        (cidr): [string, string, string] => [`${key}={${cidr}}`, key, '10.20.0.0/16'],
      ),
    ),
  ]
  for (const [value, key, remedy] of refused) {
    it(`the values refuse ${value} with the key and what to write`, async () => {
      const message = await refusal('--set', value)
      expect(message).to.contain(key)
      expect(message).to.contain(remedy)
    })
  }

  it('the values keep the password of a refused database URL to themselves', async () => {
    expect(await refusal('--set', 'database.url=mysql://user:hunter2@db/name')).to.not.contain(
      'hunter2',
    )
  })

  it('the values take both schemes of a database URL', async () => {
    for (const scheme of ['postgres', 'postgresql']) {
      await render('minimal', '--set', `database.url=${scheme}://user:password@db:5432/name`)
    }
  })

  describe('make NetworkPolicies that Kubernetes takes', () => {
    const ranges = '34.1.0.0/16,2001:db8::/32,2a00:1450::/29,fd00::/8,::1/128'
    const lists: readonly [denied: string, ipv4: boolean, ipv6: readonly string[] | null][] = [
      [ranges, true, ['2001:db8::/32', '2a00:1450::/29']],
      ['2001:db8::/32', true, ['2001:db8::/32']],
      ['34.1.0.0/16', true, []],
      ['::/0', true, null],
      ['2000::/3', true, null],
      ['::/2', true, null],
      ['4000::/2', true, []],
      ['0.0.0.0/0', false, []],
      ['0.0.0.0/0,::/0', false, null],
      ['64:ff9b::/96,64:ff9b::808:0/112', true, []],
      ['64:ff9b::808:0/112', true, []],
    ]
    for (const [denied, ipv4, ipv6] of lists) {
      it(`makes NetworkPolicies that Kubernetes takes with ${denied} denied`, async () => {
        const objects = await render('minimal', '--set', `network.denyCidrs={${denied}}`)
        for (const name of ['media-runner', 'media-api-server']) {
          const blocks = blocksOf(objects, name)
          for (const { cidr, except = [] } of blocks) {
            for (const each of except)
              expect(isWithin(each, cidr), `${each} in ${cidr}`).to.equal(true)
          }
          const [four, six] = ['0.0.0.0/0', '2000::/3'].map((range) =>
            blocks.find(({ cidr }) => cidr === range),
          )
          expect(four !== undefined).to.equal(ipv4)
          expect(six === undefined ? null : (six.except ?? [])).to.deep.equal(ipv6)
        }
      })
    }

    it('renders with address ranges of both families', async () => {
      const objects = await render('minimal', '--set', 'network.allowCidrs={10.2.0.0/16,fd00::/8}')
      const cidrs = blocksOf(objects, 'media-runner').map(({ cidr }) => cidr)
      expect(cidrs).to.include.members(['10.2.0.0/16', 'fd00::/8'])
    })
  })

  it('the values leave no pod of a helm test that succeeded', async () => {
    const objects = await render('minimal')
    const pod = objects.find(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'test')
    expect(pod?.metadata.annotations?.['helm.sh/hook-delete-policy']).to.equal(
      'before-hook-creation,hook-succeeded',
    )
  })
})

async function readValues(name: string): Promise<unknown> {
  return parse(await readFile(path.join(chart, name), 'utf8'))
}

/** Innermost fields, as `--set-json` names them; an empty object is one of them. */
function leaves(value: unknown, key = ''): [key: string, value: unknown][] {
  const nested = typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = nested ? Object.entries(value) : []
  return entries.length === 0
    ? [[key, value]]
    : entries.flatMap(([name, under]) => leaves(under, key === '' ? name : `${key}.${name}`))
}

function blocksOf(objects: readonly Rendered[], name: string): Block[] {
  const policy = objects.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name,
  )
  if (policy === undefined) throw new Error(`no NetworkPolicy ${name}`)
  return (policy.spec as unknown as Policy).egress.flatMap(({ to = [] }) =>
    to.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock])),
  )
}

/** Kubernetes requires of an exception that it is a strict part of its range. */
function isWithin(inner: string, outer: string): boolean {
  const [innerAddress, innerBits] = ipaddr.parseCIDR(inner)
  const [outerAddress, outerBits] = ipaddr.parseCIDR(outer)
  return (
    innerAddress.kind() === outerAddress.kind() &&
    innerBits > outerBits &&
    innerAddress.match(outerAddress, outerBits)
  )
}
