import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { scaled } from '../scale.ts'
import { startApiServer } from './start-api-server.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { schemathesisPython } from '../../local-cluster/tools/python-package.ts'
import type { ApiServer } from './start-api-server.ts'

/** Budget of the phases that go on as long as they may; the first two take another half of it. */
const seconds = scaled({ smoke: 20, full: 120 })

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
]

describe('the API under fuzzing', function () {
  this.timeout(900_000)
  let server: ApiServer
  before(async () => {
    server = await startApiServer()
  })

  it('the API never fails, and answers only what openapi.json says', async () => {
    const settings = clusterSettings(process.env)
    const python = await schemathesisPython({ settings, say: () => undefined })
    const description = await (await fetch(`${server.url}/openapi.json`)).text()
    const output = await run(python, buildable(description), [
      '--url',
      server.url,
      '--header',
      `X-API-KEY: ${server.apiKey}`,
      '--checks',
      checks.join(','),
      '--max-time',
      `${seconds}`,
      '--seed',
      '1',
      '--request-timeout',
      '20',
      // The streams of commands that nothing runs have no end.
      '--exclude-operation-id',
      'getCommandEvents',
      '--exclude-operation-id',
      'getEvents',
      '--continue-on-failure',
      '--warnings',
      'off',
    ])
    const errors = await server.stop()
    expect(output).to.match(/^Test cases:\n +\d{3,} generated/m)
    if (/^=+ (?:FAILURES|ERRORS) =+$/m.test(output)) expect.fail(output)
    expect(errors).to.deep.equal([])
  })
})

/** Python's regular expressions know no Unicode categories; without them half the bodies cannot be made. */
function buildable(description: string): string {
  return description.replaceAll(String.raw`\\p{Cs}`, '')
}

/** The tool has a folder of its own: it leaves a database of examples where it runs. */
async function run(
  python: string,
  description: string,
  options: readonly string[],
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'schemathesis-'))
  const config = path.join(import.meta.dirname, 'schemathesis.toml')
  try {
    await writeFile(path.join(folder, 'openapi.json'), description)
    const module = ['-m', 'schemathesis.cli', '--no-color', '--config-file', config]
    const child = spawn(python, [...module, 'run', 'openapi.json', ...options], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await once(child, 'close')
    return output
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
