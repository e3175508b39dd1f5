import type { sourceMistakes } from '../../../common/command-line/plan/source-mistakes.ts'
import type { Draft } from '../draft.ts'

type Source = Parameters<typeof sourceMistakes>[0]

/** The draft in the form in which the service plans a command. */
export function sourceOf({ inputs, zip, commands, outputs }: Draft): Source {
  return {
    commands: [...commands],
    inputFiles:
      zip === null ? Object.fromEntries(inputs.map(({ alias, url }) => [alias, url])) : null,
    inputCompressedFolder: zip,
    outputFiles:
      outputs === null ? null : Object.fromEntries(outputs.map(({ alias, name }) => [alias, name])),
  }
}
