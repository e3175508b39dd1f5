import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { runsFor, untilFfmpegRuns } from '../steps/submit-and-wait.ts'

describe('what a pod knows', () => {
  const env = useEnvironment()

  it('a pod holds no S3 and no database credential anywhere that its containers can read', async () => {
    const { command_id } = await env.client.submit(runsFor(20))
    await untilFfmpegRuns(env.client, command_id)
    const selector = `cloudffmpeg.dev/command-id=${command_id}`
    const pod = await env.kubectl(
      'get',
      'pod',
      '-l',
      selector,
      '-o',
      'jsonpath={.items[0].metadata.name}',
    )
    const secrets = [env.s3.secretAccessKey, env.postgres.password, env.installed.apiKey]
    for (const container of ['transfer', 'ffmpeg']) {
      const { files, hits } = JSON.parse(
        await env.kubectl(
          'exec',
          pod,
          '-c',
          container,
          '--',
          '/usr/local/bin/node',
          '-e',
          search,
          // A secret may begin with a dash, which Node.js would take for an option.
          '--',
          ...secrets,
        ),
      ) as { files: number; hits: string[] }
      expect(files, `${container}: files searched`).to.be.greaterThan(10)
      expect(hits, container).to.deep.equal([])
    }
    const spec = await env.kubectl('get', 'pod', pod, '-o', 'json')
    for (const secret of secrets) expect(spec).not.to.include(secret)
  })

  it('runs API server and operator from their images under their own roles, as a restricted pod', async () => {
    for (const component of ['api-server', 'operator']) {
      const text = await env.kubectl(
        'get',
        'pod',
        '-l',
        `app.kubernetes.io/component=${component}`,
        '-o',
        'json',
      )
      const { items } = JSON.parse(text) as {
        items: { spec: { serviceAccountName: string; containers: { image: string }[] } }[]
      }
      expect(items[0]?.spec.containers[0]?.image).to.include(`cloud-ffmpeg/${component}:`)
      const account = items[0]?.spec.serviceAccountName ?? ''
      const as = ['--as', `system:serviceaccount:${env.installed.namespace}:${account}`]
      const can = async (verb: string, resource: string): Promise<string> =>
        (await env.kubectl('auth', 'can-i', verb, resource, ...as).catch(() => 'no')).trim()
      expect(await can('get', 'secrets'), component).to.equal('no')
      expect(await can('create', 'pods/exec'), component).to.equal('no')
      expect(await can('create', 'jobs'), component).to.equal(
        component === 'operator' ? 'yes' : 'no',
      )
    }
  })
})

/** Runs in the container: every readable small file and every environment it can see, for the arguments. */
const search = `
const fs = require('node:fs'), path = require('node:path')
const secrets = process.argv.slice(1), hits = []
let files = 0
const visit = (file) => {
  try {
    const info = fs.lstatSync(file)
    if (info.isDirectory()) {
      if (['/sys', '/usr', '/lib', '/lib64', '/app'].includes(file)) return
      if (/^\\/proc\\/[^/]+\\/(task|fd|map_files|net|attr|root|cwd|ns)/.test(file)) return
      for (const name of fs.readdirSync(file)) visit(path.join(file, name))
    } else if (info.isFile() && info.size < 4 << 20 && !/^\\/proc\\/(k|sys)|\\/(mem|pagemap|clear_refs)$/.test(file)) {
      if (file.endsWith('/cmdline')) return
      const text = fs.readFileSync(file, 'latin1')
      files++
      for (const secret of secrets) if (text.includes(secret)) hits.push(file)
    }
  } catch {}
}
visit('/')
console.log(JSON.stringify({ files, hits }))
`
