import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import packageFile from '../../package.json' with { type: 'json' }
import { apiServerSettingsIn, chart, fileOf, objectsIn, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

/** Kinds without a namespace. */
const clusterWide = [
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'PriorityClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]
/** Value of a label that Kubernetes takes. */
const labelValue = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/
/** Objects of these values, not of the chart. */
const isExtra = ({ metadata }: Rendered): boolean => /(^|-)more$/.test(metadata.name)

describe('the chart, rendered without a cluster,', function () {
  this.timeout(900_000)
  const { run } = useChart()
  let folder: string
  let files: string[]
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'chart-render-'))
    files = (await readdir(path.join(chart, 'ci'))).map((file) => file.replace('-values.yaml', ''))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const template = (release: string, values: string, ...more: string[]): Promise<string> =>
    run('template', release, chart, '--values', fileOf(values), ...more)

  it('the chart is the same text each time, but for what the values ask it to generate', async () => {
    const differing: string[] = []
    for (const values of files) {
      const [one, other] = await Promise.all([1, 2].map(() => template('media', values)))
      if (one !== other) differing.push(values)
    }
    // A password: docs/gitops.md has it.
    expect(differing).to.have.members(['evaluation'])
    const own = ['--set', 'evaluation.existingSecret=mine']
    const [one, other] = await Promise.all(
      [1, 2].map(() => template('media', 'evaluation', ...own)),
    )
    expect(one).to.equal(other)
  })

  it("the chart has the first key's Secret without a key, and the API server may read and patch that one", async () => {
    const objects = objectsIn(await template('media', 'minimal', '--namespace', 'media'))
    const secret = objects.find(({ metadata }) => metadata.name === 'media-bootstrap')
    expect(secret).to.include({ kind: 'Secret' })
    expect(secret).to.not.have.any.keys('data', 'stringData')
    expect(secretRights(objects)).to.deep.equal([
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: ['media-bootstrap'],
        verbs: ['get', 'patch'],
      },
    ])
    const own = objectsIn(await template('media', 'one-namespace', '--namespace', 'media'))
    expect(secretRights(own)).to.deep.equal([])
    expect(JSON.stringify(own)).to.include('"name":"my-first-key","key":"token"')
    expect(apiServerSettingsIn(own).bootstrap.generatedSecret).to.equal('')
  })

  it('names the namespace on each object that has one', async () => {
    for (const values of files) {
      const objects = objectsIn(await template('media', values, '--namespace', 'media'))
      const without = objects
        .filter((object) => !isExtra(object) && !clusterWide.includes(object.kind))
        .filter(({ metadata }) => metadata.namespace === undefined)
      expect(
        without.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
        values,
      ).to.deep.equal([])
    }
  })

  for (const [release, namespace] of [
    ['123', '1234'],
    ['true', 'null'],
    ['1e3', '0x10'],
    ['on', '017'],
  ] as const) {
    it(`writes names as texts, those of release ${release} in namespace ${namespace} too`, async () => {
      for (const values of files) {
        const objects = objectsIn(await template(release, values, '--namespace', namespace))
        const found = objects
          .filter((object) => !isExtra(object))
          .flatMap((each) => wrongNames(each))
        expect(found, values).to.deep.equal([])
        for (const { metadata } of objects.filter((object) => !isExtra(object))) {
          if (metadata.namespace !== undefined) expect(metadata.namespace).to.be.a('string')
        }
      }
    })
  }

  it('writes names of objects of yours as texts', async () => {
    const names = [
      'database.existingSecret.name',
      'storage.existingSecret.name',
      'bootstrap.existingSecret',
      'bootstrap.existingSecretKey',
      'apiServer.serviceAccount.name',
      'runner.namespace',
      'apiServer.priorityClassName',
      'database.caConfigMap',
      'database.existingSecret.key',
      'storage.existingSecret.accessKeyIdKey',
      'image.pullSecrets[0].name',
    ].flatMap((name) => ['--set-string', `${name}=1e3`])
    const objects = objectsIn(
      await template('media', 'minimal', '--set', 'storage.accessKeyId=', ...names),
    )
    expect(objects.flatMap((each) => wrongNames(each))).to.deep.equal([])
  })

  it('the chart has labels that Kubernetes takes for a version with a build, however long', async () => {
    const build = 'a'.repeat(60)
    for (const version of ['0.2.0+4fda46f', `0.2.0-rc.1+${build}.`.slice(0, -1)]) {
      await run(
        'package',
        chart,
        '--version',
        version,
        '--app-version',
        version,
        '--destination',
        folder,
      )
      const archive = path.join(folder, `cloud-ffmpeg-${version}.tgz`)
      const text = await run('template', 'media', archive, '--values', fileOf('minimal'))
      const objects = objectsIn(text)
      const values = objects.flatMap((object) => labelsOf(object))
      expect(values).to.include(`cloud-ffmpeg-${version}`.replace('+', '_').slice(0, 63))
      expect(values.filter((value) => !labelValue.test(value))).to.deep.equal([])
      // A + is not allowed in the tag of an image either.
      expect(text).to.match(/image: \S+\/api-server:0\.2\.0(_4fda46f|-rc\.1_a+)\n/)
    }
  })

  it('the chart has no empty rules, which Kubernetes drops, so that each apply would change them', async () => {
    for (const values of files) {
      const policies = objectsIn(await template('media', values)).filter(
        ({ kind }) => kind === 'NetworkPolicy',
      )
      for (const { spec } of policies) {
        for (const rules of ['ingress', 'egress'] as const) {
          expect((spec as unknown as Record<string, unknown>)[rules]).to.not.deep.equal([])
        }
      }
    }
  })

  it('the chart can be a dependency with a condition', async () => {
    const parent = path.join(folder, 'parent')
    await mkdir(path.join(parent, 'charts'), { recursive: true })
    await run('package', chart, '--destination', path.join(parent, 'charts'))
    await writeFile(
      path.join(parent, 'Chart.yaml'),
      `apiVersion: v2
name: parent
version: 1.0.0
dependencies: [{ name: cloud-ffmpeg, version: ${packageFile.version}, condition: cloud-ffmpeg.enabled }]
`,
    )
    const values = JSON.stringify({
      storage: { bucket: 'media', accessKeyId: 'a', secretAccessKey: 'b' },
    })
    const of = async (enabled: boolean) =>
      objectsIn(
        await run(
          'template',
          'media',
          parent,
          '--set-json',
          `cloud-ffmpeg=${values}`,
          '--set',
          'cloud-ffmpeg.image.registry=r.example.com',
          '--set',
          'cloud-ffmpeg.database.url=postgres://db/name',
          '--set',
          `cloud-ffmpeg.enabled=${enabled}`,
        ),
      )
    expect((await of(true)).map(({ kind }) => kind)).to.include('Deployment')
    expect(await of(false)).to.deep.equal([])
  })
})

/** Names and the like that YAML has read as something else than text, by their places. */
function wrongNames(value: unknown, place = '', key = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => wrongNames(each, `${place}[${index}]`, key))
  }
  if (typeof value === 'object' && value !== null) {
    const isTextMap = ['labels', 'matchLabels', 'annotations', 'nodeSelector'].includes(key)
    return Object.entries(value).flatMap(([name, under]) =>
      isTextMap && typeof under !== 'string'
        ? [`${place}.${name}`]
        : wrongNames(under, `${place}.${name}`, name),
    )
  }
  const isName = /^(name|namespace|value|key|secretName|\w+Name|resourceNames|matchNames|args)$/
  // The number of a PriorityClass is a value as well.
  const isNumber = place.includes('.schema.') || place === '.value'
  return isName.test(key) && typeof value !== 'string' && !isNumber ? [place] : []
}

function labelsOf(object: Rendered): string[] {
  const of = (metadata: unknown): string[] =>
    Object.values((metadata as { labels?: Record<string, string> } | undefined)?.labels ?? {})
  return [
    ...of(object.metadata),
    ...of((object.spec as typeof object.spec | undefined)?.template?.metadata),
  ]
}

function secretRights(objects: readonly Rendered[]): unknown[] {
  return objects
    .flatMap(({ rules = [] }) => rules)
    .filter(({ resources = [] }) => resources.includes('secrets'))
}
