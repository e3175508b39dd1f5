import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { parse } from 'yaml'
import { listenAt } from '../../testing/support/http-server.ts'
import { useFolder } from '../../testing/support/mocha.ts'
import { asJavaScript } from './javascript-form.ts'
import { asKubectl } from './kubectl-form.ts'
import { asN8n } from './n8n-form.ts'
import { asPython } from './python-form.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Listening } from '../../testing/support/http-server.ts'
import type { SentRequest } from './sent-request.ts'

const body = {
  ffmpeg_command: `-i {{in_1}} -vf "drawtext=text='it''s \\u00e9 😀'" -metadata t="a $HOME \`x\`" {{out_1}}`,
  input_files: { in_1: 'https://media.example/a b.mov?x=1&y=$2' },
  output_files: { out_1: 'small-film.mp4' },
  vcpu_count: 4,
  max_command_run_seconds: 1.5,
  metadata: { order: 17, note: "it's\n#", yes: true },
  is_private: true,
}

/** OpenAPI 3.0 writes an exclusive minimum as a flag. */
function inDraft2020(schema: object): object {
  const text = JSON.stringify(schema)
  return JSON.parse(text, (_, value: Record<string, unknown> | null) =>
    value?.['exclusiveMinimum'] === true ? { ...value, exclusiveMinimum: value['minimum'] } : value,
  ) as object
}

interface Definition {
  readonly spec: { readonly versions: readonly { schema: { openAPIV3Schema: object } }[] }
}

describe('forms of a request', () => {
  const at = useFolder()
  let service: Listening
  let got: { path: string; key: string; body: unknown }[] = []
  before(async () => {
    const server = createServer((request, response) => void answer(request, response))
    service = await listenAt('127.0.0.1', server)
  })
  after(() => service.close())
  beforeEach(() => (got = []))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await buffer(request)).toString()
    const { method, url: path = '', headers } = request
    got.push({
      path: `${method} ${path}`,
      key: String(headers['x-api-key']),
      body: text === '' ? null : (JSON.parse(text) as unknown),
    })
    const record =
      method === 'POST'
        ? { command_id: 'an-id' }
        : { status: 'SUCCESS', output_files: { out_1: { storage_url: 'https://s3.example/a' } } }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(record))
  }

  const sent = (): SentRequest => ({ url: service.url, path: '/v1/run-ffmpeg-command', body })
  const runs = async (program: string, name: string, text: string) => {
    await writeFile(at(name), text)
    const env = { PATH: process.env['PATH'], CLOUD_FFMPEG_API_KEY: 'the-key' }
    const { stdout } = await promisify(execFile)(program, [at(name)], { env })
    expect(stdout).to.equal('out_1 https://s3.example/a\n')
    expect(got).to.deep.equal([
      { path: 'POST /v1/run-ffmpeg-command', key: 'the-key', body },
      { path: 'GET /v1/commands/an-id', key: 'the-key', body: null },
    ])
  }

  it('a request runs as JavaScript', () => runs(process.execPath, 'run.mjs', asJavaScript(sent())))

  it('a request runs as Python', () => runs('python3', 'run.py', asPython(sent())))

  it('a request is an object of Kubernetes that fits its schema, with a note of what it cannot have', async () => {
    const text = asKubectl(sent())
    const [, manifest = ''] = /<<'YAML'\n(.*)\nYAML$/s.exec(text) ?? []
    const object: unknown = parse(manifest)
    expect(object).to.deep.include({ kind: 'FfmpegCommand' })
    expect(object).to.have.deep.property('spec', {
      commands: [body.ffmpeg_command],
      outputFiles: body.output_files,
      inputFiles: body.input_files,
      vcpuCount: 4,
      maxRunSeconds: 1.5,
      private: true,
    })
    expect(manifest).to.contain('# Over the REST API alone: metadata')
    const file = new URL('../../charts/cloud-ffmpeg/files/crds/ffmpegcommand.yaml', import.meta.url)
    const definition = parse(await readFile(file, 'utf8')) as Definition
    const schema = inDraft2020(definition.spec.versions[0]?.schema.openAPIV3Schema ?? {})
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    expect(validate(object), JSON.stringify(validate.errors)).to.equal(true)
    const folder = { ...body, output_files: 'OUTPUT_FOLDER', input_files: {} }
    expect(asKubectl({ ...sent(), body: folder })).to.contain('outputFolder: true')
  })

  it('writes a node of n8n that sends the body as it is', () => {
    const { nodes } = JSON.parse(asN8n(sent())) as {
      nodes: { type: string; parameters: Record<string, string> }[]
    }
    const [node] = nodes
    expect(node?.type).to.equal('n8n-nodes-base.httpRequest')
    expect(node?.parameters['url']).to.equal(`${service.url}/v1/run-ffmpeg-command`)
    expect(JSON.parse(node?.parameters['jsonBody'] ?? '')).to.deep.equal(body)
  })
})
