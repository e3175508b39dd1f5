import openapi from '../../common/openapi/openapi.json' with { type: 'json' }
import plansFile from '../../common/domain/plans.schema.json' with { type: 'json' }
import settingsFile from '../../common/settings/settings.schema.json' with { type: 'json' }

/** Limits of requests: text, and the place in openapi.json of each figure in it, for `$1` and `$2`. */
const requests: readonly (readonly [string, string, ...(readonly string[])])[] = [
  ['body of a submission', '$1 KiB', '/paths/~v1~run-ffmpeg-command/post/x-max-body-bytes'],
  ['body of another call', '$1 KiB', '/paths/~v1~files~init-upload/post/x-max-body-bytes'],
  [
    'text of a command',
    '$1 characters',
    '/components/schemas/RunFfmpegCommandRequest/properties/ffmpeg_command/maxLength',
  ],
  [
    'commands of a chain',
    '$1',
    '/components/schemas/RunChainedFfmpegCommandsRequest/properties/ffmpeg_commands/maxItems',
  ],
  [
    '`input_files`, `output_files`',
    '$1 each, with aliases of $2 characters',
    '/components/schemas/InputFiles/maxProperties',
    '/components/schemas/InputFiles/propertyNames/maxLength',
  ],
  [
    '`metadata`',
    '$1 keys; key and value have $2 characters each',
    '/components/schemas/Metadata/maxProperties',
    '/components/schemas/Metadata/additionalProperties/maxLength',
  ],
  [
    'name of an uploaded file',
    '$1 bytes',
    '/components/schemas/InitUploadRequest/properties/filename/x-max-bytes',
  ],
  [
    'parts of an upload',
    '$1; each of 5 MiB or more, but the last',
    '/components/schemas/UploadSession/properties/upload_urls/maxItems',
  ],
  [
    'files of a bulk delete',
    '$1',
    '/components/schemas/BulkDeleteFilesRequest/properties/file_ids/maxItems',
  ],
  ['items of a page of a list', '$1', '/paths/~v1~commands/get/parameters/0/schema/maximum'],
  ['`output_ttl_seconds`', 'up to $1 (a year)', '/components/schemas/OutputTtlSeconds/maximum'],
  [
    '`presigned_ttl_seconds`',
    'up to $1 (a week)',
    '/components/schemas/PresignedTtlSeconds/maximum',
  ],
  [
    'mistakes that one answer 422 lists',
    '$1',
    '/components/schemas/ValidationProblem/properties/detail/maxItems',
  ],
]

/** @throws if openapi.json has no figure at a place */
export function requestLimits(document: object = openapi): string {
  const rows = requests.map(([what, text, ...places]) => {
    const figures = places.map((place) => {
      const figure = numberAt(document, place)
      return (place.endsWith('-body-bytes') ? figure / 1024 : figure).toLocaleString('en-US')
    })
    return `| ${what} | ${text.replaceAll(/\$(\d)/g, (_, at: string) => figures[Number(at) - 1] ?? '')} |`
  })
  return ['| of a request | at most |', '|---|---|', ...rows].join('\n')
}

/** A column for each plan of the chart's default, and a row for each limit, with the words of its schema. */
export function planLimits(): string {
  const plans = settingsFile.properties.plans.default as Readonly<Record<string, Limits>>
  const names = Object.keys(plans)
  const { retention, ...limits } = plansFile.properties
  const rows = [
    ...rowsOf(
      limits,
      (name) => name,
      (name) => names.map((plan) => plans[plan]?.[name]),
    ),
    ...rowsOf(
      retention.properties,
      (name) => `retention.${name}`,
      (name) => names.map((plan) => (plans[plan]?.['retention'] as Limits | undefined)?.[name]),
    ),
  ]
  const rule = '---|'.repeat(names.length + 2)
  return [`| limit | ${names.join(' | ')} | meaning |`, `|${rule}`, ...rows].join('\n')
}

type Limits = Readonly<Record<string, unknown>>
type Properties = Readonly<
  Record<string, { readonly description: string; readonly default?: unknown }>
>

function rowsOf(
  properties: object,
  nameOf: (name: string) => string,
  valuesOf: (name: string) => readonly unknown[],
): string[] {
  return Object.entries(properties as Properties).map(([name, { description, default: usual }]) => {
    const values = valuesOf(name).map((value) => shown(value ?? usual))
    return `| \`${nameOf(name)}\` | ${values.join(' | ')} | ${description} |`
  })
}

function shown(value: unknown): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return typeof value === 'number' ? value.toLocaleString('en-US') : '–'
}

/** @param place names after slashes; `~` stands for a slash in one */
function numberAt(document: object, place: string): number {
  const found = place
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (at as Limits | undefined)?.[name.replaceAll('~', '/')],
      document,
    )
  if (typeof found !== 'number') throw new Error(`openapi.json has no number at ${place}`)
  return found
}
