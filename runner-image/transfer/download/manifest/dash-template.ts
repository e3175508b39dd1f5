import { invalidManifest } from './manifest-failure.ts'

export interface TemplateValues {
  readonly id: string
  readonly bandwidth: string
  readonly number?: bigint
  readonly time?: bigint
}

/**
 * The URL of a segment by the `$Name$` and `$Name%05d$` of its template (ISO/IEC 23009-1, 5.3.9.4.4).
 * @throws Failure for an identifier that has no value there
 */
export function expandTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(
    /\$(?:(\w+)(?:%0(\d{1,2})d)?)?\$/g,
    (written: string, name?: string, width?: string) => {
      if (name === undefined) return '$'
      const value = valueOf(name, values)
      if (value !== undefined) return value.padStart(Number(width ?? '0'), '0')
      throw invalidManifest(
        `names segments by ${written.slice(0, 40)}, which cannot be read; Number, Time, Bandwidth and RepresentationID can`,
      )
    },
  )
}

function valueOf(name: string, values: TemplateValues): string | undefined {
  switch (name) {
    case 'RepresentationID':
      return values.id
    case 'Bandwidth':
      return values.bandwidth
    case 'Number':
      return values.number?.toString()
    case 'Time':
      return values.time?.toString()
    default:
      return undefined
  }
}
