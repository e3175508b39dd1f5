import { expect } from 'chai'
import { ownedByHelm, useFakeCluster } from './chart-cluster.fixture.ts'
import { useChart } from './chart.fixture.ts'

const name = 'media-bootstrap'

describe('an upgrade of the chart and the first key', function () {
  this.timeout(900_000)
  const { render } = useChart()
  /** Content of the namespace. */
  let stored: object | null
  const cluster = useFakeCluster((at) =>
    at === `/api/v1/namespaces/media/secrets/${name}` ? stored : null,
  )

  const secretWith = (annotations: Record<string, string>, data?: object) =>
    ownedByHelm({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace: 'media',
        annotations,
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      },
      ...(data === undefined ? {} : { data }),
    })
  async function renderedOver(secret: object | null): Promise<unknown> {
    stored = secret
    const objects = await render('minimal', ...cluster.args())
    return objects.find(({ metadata }) => metadata.name === name)
  }

  it('keeps a key that an earlier version of the chart made, which Helm would delete otherwise', async () => {
    const data = { 'api-key': 'Y2ZmX29sZA==' }
    expect(await renderedOver(secretWith({}, data))).to.deep.include({ data })
  })

  it('the upgrade does not name a key that the API server made', async () => {
    const made = { 'cloudffmpeg.dev/first-key': 'made' }
    const data = { 'api-key': 'Y2ZmX25ldw==' }
    for (const secret of [secretWith(made, data), secretWith({}), null]) {
      expect(await renderedOver(secret)).to.not.have.property('data')
    }
  })
})
