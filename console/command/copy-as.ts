import { asJavaScript } from '../forms/javascript-form.ts'
import { asKubectl } from '../forms/kubectl-form.ts'
import { asN8n } from '../forms/n8n-form.ts'
import { asPython } from '../forms/python-form.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { SentRequest } from '../forms/sent-request.ts'

/** Forms in which a request can be sent again; none holds the key. */
export const copyForms = {
  curl: 'curl',
  cli: 'CLI',
  javascript: 'JavaScript',
  python: 'Python',
  kubectl: 'kubectl',
  n8n: 'n8n',
  json: 'JSON',
} as const
export type CopyForm = keyof typeof copyForms

/** @param url base address of the service */
export function copyAs(form: CopyForm, request: OriginalRequest, url: string): string {
  switch (form) {
    case 'curl':
      return asCurl(request, url)
    case 'cli':
      return asTool(request, url)
    case 'javascript':
      return asJavaScript(sentRequest(request, url))
    case 'python':
      return asPython(sentRequest(request, url))
    case 'kubectl':
      return asKubectl(sentRequest(request, url))
    case 'n8n':
      return asN8n(sentRequest(request, url))
    case 'json':
      return JSON.stringify(given(request), null, 2)
  }
}

function sentRequest(request: OriginalRequest, url: string): SentRequest {
  const path = 'ffmpeg_commands' in request ? 'run-chained-ffmpeg-commands' : 'run-ffmpeg-command'
  return { url: url.replace(/\/+$/, ''), path: `/v1/${path}`, body: { ...given(request) } }
}

function asCurl(request: OriginalRequest, url: string): string {
  const { path, body, ...sent } = sentRequest(request, url)
  return [
    `curl -sS ${quoted(`${sent.url}${path}`)} \\`,
    `  -H "X-API-KEY: $CLOUD_FFMPEG_API_KEY" \\`,
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join('\n')
}

function asTool(request: OriginalRequest, url: string): string {
  const { input_files: inputs, output_files: outputs } = request
  // A draft leaves to the service what it does not name.
  const {
    vcpu_count: vcpus,
    max_command_run_seconds: seconds,
    priority = 'normal',
    presigned_ttl_seconds: presigned = null,
  }: Partial<OriginalRequest> = request
  const commands = 'ffmpeg_commands' in request ? request.ffmpeg_commands : [request.ffmpeg_command]
  const zip = 'input_compressed_folder' in request ? request.input_compressed_folder : null
  const options = [
    ...Object.entries(inputs ?? {}).map(([alias, from]) => `-i ${quoted(`${alias}=${from}`)}`),
    ...(zip === null || zip === undefined ? [] : [`--input-zip ${quoted(zip)}`]),
    ...(typeof outputs === 'string'
      ? [`-o ${outputs}=outputs.zip`]
      : Object.entries(outputs).map(([alias, name]) => `-o ${quoted(`${alias}=${name}`)}`)),
    ...Object.entries(request.metadata ?? {}).map(
      ([key, value]) => `--metadata ${quoted(`${key}=${String(value)}`)}`,
    ),
    ...(vcpus === undefined ? [] : [`--vcpu ${vcpus}`]),
    ...(seconds === undefined ? [] : [`--timeout ${seconds}`]),
    ...(request.is_private ? ['--private'] : []),
    ...(presigned === null ? [] : [`--presigned-ttl ${presigned}`]),
    ...(priority === 'normal' ? [] : [`--priority ${priority}`]),
    ...commands.map((command) => `-- ${quoted(command)}`),
  ]
  const lost = withoutOption.filter((name) => request[name] !== null && request[name] !== undefined)
  return [
    ...(lost.length === 0 ? [] : [`# Over the REST API alone: ${lost.join(', ')}`]),
    `export CLOUD_FFMPEG_URL=${quoted(url.replace(/\/+$/, ''))}`,
    ['npx --no-install cloud-ffmpeg run', ...options].join(' \\\n  '),
  ].join('\n')
}

/** Fields that the command line tool has no option for. */
const withoutOption = ['output_ttl_seconds', 'webhook_url'] as const

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The record has null where the request had nothing. */
function given(request: OriginalRequest): object {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null))
}
