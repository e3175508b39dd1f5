import { usesIn, type Finding, type Use } from '../model/findings.ts'
import { isPlaylistAlias } from '../model/output-name.ts'
import type { StepPlan } from '../model/plan.ts'
import { charactersIn } from '../model/refusal.ts'
import type { StepFiles } from './step-dependencies.ts'

/** All of a step's plan that can be known without the other steps. */
export type LoneStep = Omit<StepPlan, 'index' | 'dependsOn'> & StepFiles

/** What a step reads, writes and needs, out of the findings of all its arguments. */
export function factsOf(
  findings: readonly Finding[],
  source: string,
): Omit<LoneStep, 'groups' | 'dropped' | 'readsList'> {
  const folders = findings.flatMap(foldersOf)
  const fontFolders = findings.flatMap((found) =>
    found.kind === 'font-folder' ? [found.alias] : [],
  )
  return {
    placeholders: placeholdersIn(findings, source),
    reads: aliasesIn(findings, (role) => role !== 'output'),
    writes: aliasesIn(findings, (role) => role === 'output'),
    folders: [...new Set(folders)],
    fontFolders: [...new Set(fontFolders)],
    usesWorkingFiles: findings.some(isWorkingFile),
    names: findings.flatMap((finding) => (finding.kind === 'file' ? [finding.path] : [])),
  }
}

function placeholdersIn(findings: readonly Finding[], source: string): StepPlan['placeholders'] {
  let position = 1
  let offset = 0
  // Counted on from one to the next: a long command can hold thousands.
  return usesIn(findings).map(({ alias, role, range }) => {
    position += charactersIn(source.slice(offset, range.from))
    offset = range.from
    return { alias, role, position }
  })
}

function aliasesIn(
  findings: readonly Finding[],
  hasRole: (role: Use['role']) => boolean,
): string[] {
  const aliases = usesIn(findings).flatMap(({ alias, role }) => (hasRole(role) ? [alias] : []))
  return [...new Set(aliases)]
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
