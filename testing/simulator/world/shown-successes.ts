import type { CommandRow, Tables } from '../memory-store/memory-rows.ts'
import { publicBaseUrl } from './settings.ts'

/** Successes that custom resources have shown: each must stay one, with its outputs. */
export interface ShownSuccesses {
  see(uid: string, spec: JsonObject | undefined, status: JsonObject | undefined): void
  count(): number
  problems(): string[]
}

type JsonObject = Readonly<Record<string, unknown>>

export function createShownSuccesses(database: {
  readonly row: (commandId: string) => CommandRow | undefined
  readonly files: () => Tables['files']
  readonly hasObject: (key: string) => boolean
}): ShownSuccesses {
  const keys = new Map<string, readonly string[]>()
  return {
    see(uid, spec, status) {
      const state = status?.['state']
      if (state !== 'SUCCESS' && state !== 'STORED') return
      const id = spec?.['commandId'] ?? spec?.['fileId'] ?? uid
      if (typeof id === 'string' && !keys.has(id)) keys.set(id, keysIn(status ?? {}))
    },
    count: () => keys.size,
    problems: () => [...keys].flatMap(([id, own]) => problemsOf(id, own)),
  }

  function problemsOf(id: string, shown: readonly string[]): string[] {
    const row = database.row(id)
    if (row?.status !== 'SUCCESS') return [`${id} was shown as SUCCESS and is ${row?.errorStatus}`]
    const recorded = database
      .files()
      .filter((file) => file.commandId === id || file.fileId === id)
      .map(({ key }) => key)
    return shown.flatMap((key) => [
      ...(recorded.includes(key)
        ? []
        : [`${id} was shown with ${key} and lists ${recorded.join()}`]),
      ...(database.hasObject(key) ? [] : [`${id} was shown with ${key}, which is gone`]),
    ])
  }
}

function keysIn({ outputs, url }: JsonObject): string[] {
  const listed = (outputs as { files?: { url: string }[] } | undefined)?.files ?? []
  const urls = [...listed.map((file) => file.url), ...(typeof url === 'string' ? [url] : [])]
  return urls.map((each) => each.slice(publicBaseUrl.length + 1))
}
