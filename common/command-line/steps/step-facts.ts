import { usesIn, type Finding, type Use } from '../model/findings.ts'
import { isPlaylistAlias } from '../model/output-name.ts'
import type { StepPlan } from '../model/plan.ts'
import { charactersIn } from '../model/refusal.ts'
import type { StepFiles } from './step-dependencies.ts'

/** All of a step's plan that can be known without the other steps. */
export type LoneStep = Omit<StepPlan, 'index' | 'dependsOn'> & StepFiles

/** Files and resources that a step reads, writes and needs, out of the findings of all its arguments. */
export function factsOf(
  findings: readonly Finding[],
  source: string,
): Omit<LoneStep, 'groups' | 'dropped' | 'log' | 'readsList'> {
  const uses = usesIn(findings)
  const fontFolders = findings.filter((finding) => finding.kind === 'font-folder')
  return {
    placeholders: placeholdersOf(uses, source),
    reads: aliasesOf(uses.filter(({ role }) => role !== 'output')),
    writes: aliasesOf(uses.filter(({ role }) => role === 'output')),
    folders: [...new Set(findings.flatMap(foldersOf))],
    fontFolders: aliasesOf(fontFolders),
    usesWorkingFiles: findings.some(isWorkingFile),
    writesUnnamed: findings.some(({ kind }) => kind === 'unnamed-files'),
    files: findings.filter((finding) => finding.kind === 'file'),
  }
}

function placeholdersOf(uses: readonly Use[], source: string): StepPlan['placeholders'] {
  let position = 1
  let offset = 0
  // Counted on from one to the next: a long command can hold thousands.
  return uses.map(({ alias, role, range }) => {
    position += charactersIn(source.slice(offset, range.from))
    offset = range.from
    return { alias, role, position }
  })
}

function aliasesOf(found: readonly { alias: string }[]): string[] {
  return [...new Set(found.map(({ alias }) => alias))]
}

/** FFmpeg creates no folders except those of `%v`. */
function foldersOf(finding: Finding): string[] {
  if (finding.kind === 'use') {
    return finding.role === 'output' && isPlaylistAlias(finding.alias) ? [finding.alias] : []
  }
  return finding.kind === 'file' && finding.access === 'write' ? fixedFolders(finding.path) : []
}

function fixedFolders(path: string): string[] {
  const parents = path.split('/').slice(0, -1)
  const pattern = parents.findIndex((folder) => folder.includes('%'))
  const fixed = (pattern === -1 ? parents : parents.slice(0, pattern)).join('/')
  return fixed === '' ? [] : [fixed]
}

function isWorkingFile(finding: Finding): boolean {
  if (finding.kind === 'unnamed-files') return true
  return finding.kind === 'file' && !isPlaylistAlias(finding.path.split('/')[0] ?? '')
}
