import { expect } from 'chai'
import { deployment, operatorSettingsIn, template, useChart } from './chart.fixture.ts'
import type { PodSpec } from './chart.fixture.ts'

const servers = ['api-server', 'operator']

describe('the connections of the chart', function () {
  this.timeout(900_000)
  const { render } = useChart()

  const valueOf = (pod: PodSpec | undefined, name: string) =>
    pod?.containers[0]?.env.find((each) => each.name === `CLOUD_FFMPEG_${name}`)?.value

  it('the connections verify the database by the authority of a ConfigMap, in Jobs too', async () => {
    const name = 'DATABASE_CA_FILE'
    const more = ['--set', 'database.caConfigMap=my-ca,storage.cors.apply=true']
    const objects = await render('minimal', ...more)
    const job = objects.find(
      ({ kind, metadata }) => kind === 'Job' && metadata.name.endsWith('cors'),
    )
    const pods = [...servers.map((server) => deployment(objects, server)), job?.spec.template?.spec]
    for (const pod of pods) {
      expect(valueOf(pod, name)).to.equal('/etc/cloud-ffmpeg/database-ca/ca.crt')
      expect(pod?.volumes).to.deep.include({
        name: 'database-ca',
        configMap: { name: 'my-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
      })
      const mountPath = '/etc/cloud-ffmpeg/database-ca'
      const mount = { name: 'database-ca', mountPath, readOnly: true }
      expect(pod?.containers[0]?.volumeMounts).to.deep.include(mount)
    }
    const without = deployment(await render('minimal'), 'operator')
    expect(valueOf(without, name)).to.equal(undefined)
  })

  it('the connections of runners are as many as gateway.connections says, or what the operator counts', async () => {
    const gateway = async (...more: string[]) =>
      operatorSettingsIn(await render('minimal', ...more)).gateway
    const given = await gateway('--set', 'gateway.connections=5000,gateway.maxInFlightMbytes=128')
    expect(given).to.include({ connections: 5_000, maxInFlightMbytes: 128 })
    expect((await gateway()).connections).to.equal(null)
    const refused = await gateway('--set', 'gateway.maxInFlightMbytes=8').catch(String)
    expect(refused).to.include('maxInFlightMbytes')
  })

  it('a Prometheus that looks for annotations finds both servers, unless a monitor selects them', async () => {
    const scraped = ['--set', 'prometheus.scrapeAnnotations=true']
    const objects = await render('minimal', ...scraped, '--set', 'metrics.port=9191')
    for (const server of servers) {
      expect(template(objects, server).metadata.annotations).to.include({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': '9191',
        'prometheus.io/path': '/metrics',
      })
    }
    const without = template(await render('minimal'), 'operator').metadata.annotations
    expect(without).to.not.have.property('prometheus.io/scrape')
    const twice = await render('monitoring', ...scraped).catch(String)
    expect(twice).to.include('both would count every metric twice')
  })
})
