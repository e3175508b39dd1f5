import { expect } from 'chai'
import { useChart } from './chart.fixture.ts'

describe('the notes of the chart', function () {
  this.timeout(900_000)
  const { notes } = useChart()

  it('name the namespaces whose users may use any account', async () => {
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
    it(`warn of a bucket that has the host of the console, with ${value}`, async () => {
      expect(await notes('everything', '--set', value)).to.include(warning)
      const without = await notes('everything', '--set', value, '--set', 'console.enabled=false')
      expect(without).to.not.include('WARNING')
    })
  }

  it('name the runners whose RuntimeClass may lack the Landlock that their sandbox requires', async () => {
    const sentence = (key: string) => `${key} has RuntimeClass gvisor and sandbox 'required'`
    // Its profile turns the sandbox off.
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

  it('do not warn of a bucket with a host or a port of its own', async () => {
    for (const endpoint of ['https://s3.example.com', 'https://media.example.com:9000']) {
      const text = await notes('everything', '--set', `storage.publicEndpoint=${endpoint}`)
      expect(text).to.not.include('WARNING')
    }
  })
})
