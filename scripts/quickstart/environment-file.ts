import path from 'node:path'

interface Environment {
  readonly CLOUD_FFMPEG_URL: string
  readonly CLOUD_FFMPEG_API_KEY: string
  readonly CLOUD_FFMPEG_FREE_API_KEY: string
  readonly CLOUD_FFMPEG_HOST_ADDRESS: string
  /** URL of a video, as docs/recipes.md has it. */
  readonly SAMPLE: string
  /** URL of the folder of that video and the other samples. */
  readonly SAMPLES: string
  readonly KUBECONFIG: string
  /** Absolute paths of programs, whose folders come first in PATH. */
  readonly programs: readonly string[]
}

/** Text for `source`: afterwards the README's curl, kubectl and helm lines work unchanged. */
export function environmentFile({ programs, ...variables }: Environment): string {
  const folders = [...new Set(programs.map((program) => path.dirname(program)))]
  return [
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`),
    `export PATH=${folders.map(quoted).join(':')}:"$PATH"`,
    '',
  ].join('\n')
}

/** The value of a variable in the text of an earlier `environmentFile`; null without one. */
export function valueIn(text: string, name: string): string | null {
  const [, value] = new RegExp(`^export ${name}='(.*)'$`, 'm').exec(text) ?? []
  return value?.replaceAll(`'\\''`, "'") ?? null
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}
