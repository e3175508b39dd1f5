import { hash } from 'node:crypto'
import type { CommandSource } from '../command-line/model/command-source.ts'

/** Facts in a custom resource about a request that only the row holds. */
export interface RequestDigest {
  readonly sha256: string
  /** Size in bytes of JSON. */
  readonly bytes: number
  readonly commands: number
  /** A zip archive is one. */
  readonly inputs: number
  /** An output folder is one. */
  readonly outputs: number
}

/** Equal for equal requests; the order of their aliases does not count. */
export function requestDigest(source: CommandSource): RequestDigest {
  const text = JSON.stringify(sourceParts(source))
  const { commands, inputFiles, outputFiles } = source
  return {
    sha256: hash('sha256', text, 'hex'),
    bytes: Buffer.byteLength(text),
    commands: commands.length,
    inputs: inputFiles === null ? 1 : Object.keys(inputFiles).length,
    outputs: outputFiles === null ? 1 : Object.keys(outputFiles).length,
  }
}

/** The fields of a source in a fixed order: Postgres' jsonb and etcd both reorder keys. */
export function sourceParts(source: CommandSource): unknown[] {
  return [
    source.commands,
    sorted(source.inputFiles),
    source.inputCompressedFolder,
    sorted(source.outputFiles),
  ]
}

function sorted(map: Readonly<Record<string, string>> | null): [string, string][] | null {
  return map === null ? null : Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
