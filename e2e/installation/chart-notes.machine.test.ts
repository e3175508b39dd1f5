import { expect } from 'chai'
import { useFakeCluster } from './chart-cluster.fixture.ts'
import { useChart } from './chart.fixture.ts'

describe('the notes of the chart', function () {
  this.timeout(900_000)
  const { notes } = useChart()

  it('the notes read the first key from its Secret, by the name of its entry', async () => {
    const of = (secret: string, entry: string) =>
      `get secret ${secret} -o jsonpath='{.data.${entry}}' | base64 -d`
    expect(await notes('minimal')).to.include(of('media-bootstrap', 'api-key'))
    expect(await notes('one-namespace')).to.include(of('my-first-key', 'token'))
    const dotted = ['--set', 'bootstrap.existingSecretKey=first.key']
    expect(await notes('one-namespace', ...dotted)).to.include(of('my-first-key', 'first\\.key'))
  })

  it('the notes name the namespaces whose users may use any account', async () => {
    const sentence = (namespaces: string) =>
      `A user who may create FfmpegCommands in ${namespaces} may use any account there`
    const all = ['--set-json', 'operator.appliedAccounts=["*"]']
    expect(await notes('minimal', ...all)).to.include(sentence('media'))
    // team-a has a binding.
    expect(await notes('everything', ...all)).to.include(sentence('media, team-b'))
    const bindings = '[{"namespace":"media","accounts":["default"]}]'
    const bound = ['--set-json', `accountPolicy.bindings=${bindings}`]
    expect(await notes('minimal', ...all, ...bound)).to.not.include('may use any account')
    expect(await notes('minimal')).to.not.include('may use any account')
  })

  const warning = 'WARNING: media.example.com is the host of the console and of the bucket'
  for (const value of [
    'storage.publicEndpoint=https://media.example.com',
    'storage.publicEndpoint=https://media.example.com:443',
    'storage.publicBaseUrl=https://media.example.com/files',
  ]) {
    it(`the notes warn of a bucket that has the host of the console, with ${value}`, async () => {
      expect(await notes('everything', '--set', value)).to.include(warning)
      const without = await notes('everything', '--set', value, '--set', 'console.enabled=false')
      expect(without).to.not.include('WARNING')
    })
  }

  it('the notes name the runners whose RuntimeClass may lack the Landlock that their sandbox requires', async () => {
    const sentence = (key: string) => `${key} has RuntimeClass gvisor and sandbox 'required'`
    // The profile turns the sandbox off.
    expect(await notes('everything')).to.not.include('has RuntimeClass')
    const ofProfile = 'runner.profiles.gvisor.sandbox=required'
    expect(await notes('everything', '--set', ofProfile)).to.include(
      sentence('runner.profiles.gvisor'),
    )
    const ofAll = ['--set', 'runner.runtimeClassName=gvisor']
    expect(await notes('minimal', ...ofAll)).to.include(sentence('runner'))
    const preferred = await notes('minimal', ...ofAll, '--set', 'runner.sandbox=preferred')
    expect(preferred).to.not.include('has RuntimeClass')
  })

  describe('say what a runner requests', () => {
    /** Resources of each node. */
    let nodes: readonly Record<string, string>[] = []
    const cluster = useFakeCluster((at) => {
      const items = nodes.map((allocatable, index) => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `node-${index}` },
        status: { allocatable },
      }))
      return at === '/api/v1/nodes' ? { apiVersion: 'v1', kind: 'NodeList', items } : null
    })
    const small = { cpu: '3920m', memory: '15Gi', 'ephemeral-storage': '18242267924' }
    const large = { cpu: '32', memory: '129024000Ki', 'ephemeral-storage': '95551679124' }
    const saidFor = (given: typeof nodes, ...more: string[]): Promise<string> => {
      nodes = given
      return notes('minimal', ...cluster.args(), ...more)
    }

    it('the notes say the requests alone where no cluster is seen', async () => {
      const text = await notes('minimal')
      expect(text).to.include(
        'of 1 vCPU requests 2 CPUs, 2304 MB of memory and 2112 MB of disk of its node',
      )
      expect(text).to.include('17 CPUs, 33024 MB of memory and 2112 MB of disk')
      expect(text).to.not.include('WARNING')
      const shares = ['--set', 'runner.cpuRequestPerVcpu=0.5,runner.scratchRequestMbytes=null']
      expect(await notes('minimal', ...shares)).to.include(
        'requests 1 CPUs, 2304 MB of memory and 41536 MB of disk',
      )
    })

    it('the notes say what the largest nodes have, and which of it is too little for a runner', async () => {
      const text = await saidFor([small, small])
      expect(text).to.include('the largest have 3.92 CPUs, 15360 MB of memory and 17397 MB of disk')
      expect(text).to.include('WARNING: no node has the cpu and memory for a command of 16 vCPUs')
      const disk = await saidFor([large, small], '--set', 'runner.scratchRequestMbytes=null')
      expect(disk).to.not.include('WARNING')
      const full = ['--set', 'runner.scratchRequestMbytes=null,runner.scratchMbytes=102400']
      expect(await saidFor([large], ...full)).to.include('no node has the disk')
    })

    it('the notes have no warning where a node has what a runner requests', async () => {
      expect(await saidFor([small, large])).to.not.include('WARNING')
    })
  })

  it('the notes do not warn of a bucket with a host or a port of its own', async () => {
    for (const endpoint of ['https://s3.example.com', 'https://media.example.com:9000']) {
      const text = await notes('everything', '--set', `storage.publicEndpoint=${endpoint}`)
      expect(text).to.not.include('WARNING')
    }
  })
})
