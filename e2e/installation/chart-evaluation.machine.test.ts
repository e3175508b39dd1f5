import { expect } from 'chai'
import { useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

describe('the chart with a database and a bucket for evaluation', function () {
  this.timeout(900_000)
  const { render } = useChart()
  let objects: Rendered[]
  before(async () => {
    objects = await render('evaluation')
  })

  const named = (name: string) =>
    objects.filter(({ metadata }) => metadata.name === name).map(({ kind }) => kind)

  it('the chart has a server of each, which only pods of the release reach', () => {
    for (const component of ['database', 'storage']) {
      const kinds = ['Service', 'StatefulSet', 'NetworkPolicy']
      expect(named(`media-evaluation-${component}`)).to.have.members(kinds)
    }
  })

  it('gives both servers its Secret alone', () => {
    expect(named('media-evaluation')).to.deep.equal(['Secret'])
    expect(named('media-database')).to.deep.equal([])
    expect(named('media-storage')).to.deep.equal([])
    for (const component of ['api-server', 'operator']) {
      const pod = objects.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `media-${component}`,
      )?.spec.template?.spec
      const secrets = JSON.stringify(pod?.volumes).match(/"secretName":"[^"]+"/g)
      expect(new Set(secrets)).to.deep.equal(new Set(['"secretName":"media-evaluation"']))
    }
  })

  it('makes the bucket before it writes the rule for web pages', () => {
    const weightOf = (name: string) =>
      Number(
        objects.find(({ kind, metadata }) => kind === 'Job' && metadata.name === name)?.metadata
          .annotations?.['helm.sh/hook-weight'],
      )
    expect(weightOf('media-storage-prepare')).to.be.below(weightOf('media-storage-cors'))
  })

  it('the evaluation servers have volumes of their own where the cluster makes none', async () => {
    const without = await render('evaluation', '--set', 'evaluation.volume.persistent=false')
    const sets = without.filter(({ kind }) => kind === 'StatefulSet')
    expect(sets).to.have.length(2)
    for (const { spec } of sets) {
      expect(spec).to.not.have.property('volumeClaimTemplates')
      expect(JSON.stringify(spec.template?.spec.volumes)).to.include('"sizeLimit":"10Gi"')
    }
  })

  for (const [key, value] of [
    ['database.url', 'postgres://a:b@c/d'],
    ['database.existingSecret.name', 'mine'],
    ['storage.endpoint', 'https://s3.example.com'],
    ['storage.bucket', 'mine'],
    ['storage.accessKeyId', 'mine'],
  ]) {
    it(`refuses ${key} beside it`, async () => {
      const error: unknown = await render('evaluation', '--set', `${key}=${value}`).catch(
        (thrown: unknown) => thrown,
      )
      expect(String(error)).to.include(`${key} has no effect with evaluation.enabled`)
    })
  }

  it('refuses a storage without a static key', async () => {
    const mode = 'storage.credentials.mode=default'
    const error: unknown = await render('evaluation', '--set', mode).catch(
      (thrown: unknown) => thrown,
    )
    expect(String(error)).to.include('storage.credentials.mode must be static')
  })
})
