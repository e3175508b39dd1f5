import type { SentRequest } from './sent-request.ts'

/** Fields that an object of Kubernetes does not have are named in a comment. */
const names: Readonly<Record<string, string>> = {
  ffmpeg_commands: 'commands',
  input_files: 'inputFiles',
  input_compressed_folder: 'inputCompressedFolder',
  vcpu_count: 'vcpuCount',
  max_command_run_seconds: 'maxRunSeconds',
  is_private: 'private',
  priority: 'priority',
}

/** An object for `kubectl create`, which gives it a name. */
export function asKubectl({ body }: SentRequest): string {
  const { ffmpeg_command: command, output_files: outputs, ...rest } = body
  const spec = {
    ...(command === undefined ? {} : { commands: [command] }),
    ...(outputs === 'OUTPUT_FOLDER' ? { outputFolder: true } : { outputFiles: outputs }),
    ...Object.fromEntries(
      Object.entries(rest).flatMap(([name, value]) => {
        const to = names[name]
        return to === undefined ? [] : [[to, value] as const]
      }),
    ),
  }
  const lost = Object.keys(rest).filter((name) => names[name] === undefined)
  const comment = lost.length === 0 ? '' : `# Over the REST API alone: ${lost.join(', ')}\n`
  return `kubectl -n cloud-ffmpeg create -f - <<'YAML'
${comment}apiVersion: cloudffmpeg.dev/v1alpha1
kind: FfmpegCommand
metadata: { generateName: command- }
spec:
${yaml(spec, '  ')}
YAML`
}

/** Texts as in JSON, whose strings YAML reads. */
function yaml(fields: Readonly<Record<string, unknown>>, indent: string): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const key = `${indent}${/^\w+$/.test(name) ? name : JSON.stringify(name)}:`
      if (Array.isArray(value)) {
        const items = value.map((one) => `\n${indent}  - ${JSON.stringify(one)}`)
        return `${key}${items.join('')}`
      }
      if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
        return `${key}\n${yaml({ ...value }, `${indent}  `)}`
      }
      return `${key} ${JSON.stringify(value)}`
    })
    .join('\n')
}
