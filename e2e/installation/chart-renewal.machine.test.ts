import { expect } from 'chai'
import { ownedByHelm, useFakeCluster } from './chart-cluster.fixture.ts'
import { useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

interface Secret extends Rendered {
  readonly data: Record<string, string>
}

const name = 'media-gateway-tls'
const renewAfter = 'cloudffmpeg.dev/renew-after'

describe('the generated certificate of the gateway', function () {
  this.timeout(900_000)
  const { render } = useChart()
  /** Content of the namespace. */
  let stored: Secret | null
  const cluster = useFakeCluster((at) =>
    at === `/api/v1/namespaces/media/secrets/${name}` && stored !== null
      ? ownedByHelm(stored)
      : null,
  )
  beforeEach(() => {
    stored = null
  })

  it('is kept over an upgrade before a third of its life is over', async () => {
    stored = await rendered()
    expect((await rendered()).data).to.deep.equal(stored.data)
    expect(noteOf(await rendered())).to.equal(noteOf(stored))
  })

  it('is made anew by the first upgrade after a third of its life', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const first = await rendered()
    const third = (3_650 / 3) * 86_400
    expect(noteOf(first)).to.be.within(nowSeconds + third, Date.now() / 1000 + third)
    stored = withNote(first, nowSeconds - 1)
    const second = await rendered()
    expect(second.data['tls.crt']).to.not.equal(first.data['tls.crt'])
    expect(second.data['ca.crt']).to.not.equal(first.data['ca.crt'])
    expect(noteOf(second)).to.be.greaterThan(nowSeconds + 86_400)
  })

  it('is made anew for another generation', async () => {
    stored = await rendered()
    const second = await rendered('gateway.tls.generated.generation=2')
    expect(second.data['ca.crt']).to.not.equal(stored.data['ca.crt'])
  })

  async function rendered(...more: string[]): Promise<Secret> {
    const values = ['gateway.tls.mode=generated', ...more].join(',')
    const objects = await render('minimal', '--set', values, ...cluster.args())
    const secret = objects.find(({ metadata }) => metadata.name === name)
    if (secret === undefined) throw new Error('no Secret of the gateway')
    return secret as Secret
  }
})

function noteOf({ metadata }: Secret): number {
  return Number(metadata.annotations?.[renewAfter])
}

function withNote(secret: Secret, seconds: number): Secret {
  const annotations = { ...secret.metadata.annotations, [renewAfter]: String(seconds) }
  return { ...secret, metadata: { ...secret.metadata, annotations } }
}
