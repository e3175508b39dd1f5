import { walkArguments } from '../grammar/arguments.ts'
import { checkAliases, type AliasLedger } from './alias-ledger.ts'
import type { StepFiles } from './step-dependencies.ts'
import { usesIn, type Finding, type Use } from '../model/findings.ts'
import { inspectGroup } from '../policy/inspect-group.ts'
import { isPlaylistAlias } from '../model/output-name.ts'
import { pastedTokens } from '../read/pasted-tokens.ts'
import type { StepPlan } from '../model/plan.ts'
import { isProgramName } from '../read/mistakes-at-start.ts'
import { charactersIn, earliest, type Refusal } from '../model/refusal.ts'
import { shellMistake, written } from '../read/shell-mistakes.ts'
import type { SubmittedFiles } from '../model/submitted-files.ts'
import { splitCommand } from '../read/tokens.ts'

/** All of a step's plan that can be known without the other steps. */
export type LoneStep = Omit<StepPlan, 'index' | 'dependsOn'> & StepFiles

export type PlannedStep =
  | { ok: true; step: LoneStep }
  /** `writes`: what it would write, as far as the command line shows. */
  | { ok: false; refusal: Refusal; writes?: readonly string[] }

/** Plans one command; `ledger` holds the outputs that earlier steps have written. */
export function planStep(source: string, files: SubmittedFiles, ledger: AliasLedger): PlannedStep {
  const splitting = splitCommand(source)
  if (!splitting.ok) return splitting
  const tokens = pastedTokens(splitting.tokens, source)
  const mistake = shellMistake(tokens, source)
  if (mistake !== null) return { ok: false, refusal: mistake }
  const [first, ...rest] = tokens
  const isNamed = first !== undefined && isProgramName(written(first, source))
  const walk = walkArguments(isNamed ? rest : tokens)
  if (!walk.ok) return walk
  const inspected = walk.groups.map((group) => inspectGroup(group, files))
  const findings = inspected.flatMap((group) => group.findings)
  const refusal =
    earliest([...refusalsIn(findings), ...checkAliases(findings, files, ledger)]) ??
    withoutOutput(walk.groups, source)
  const writes = aliasesIn(findings, (role) => role === 'output')
  if (refusal !== null) return { ok: false, refusal, writes }
  const groups = inspected.map(({ group }) => group)
  return {
    ok: true,
    step: {
      groups,
      dropped: inspected.flatMap(({ dropped }) => dropped),
      placeholders: placeholdersIn(findings, source),
      reads: aliasesIn(findings, (role) => role !== 'output'),
      writes,
      folders: foldersIn(findings),
      fontFolders: fontFoldersIn(findings),
      usesWorkingFiles: findings.some(isWorkingFile),
      names: findings.flatMap((finding) => (finding.kind === 'file' ? [finding.path] : [])),
      readsList: groups.some(({ kind, format }) => kind === 'input' && format === 'concat'),
    },
  }
}

function refusalsIn(findings: readonly Finding[]): Refusal[] {
  return findings.flatMap((finding) => (finding.kind === 'refusal' ? [finding.refusal] : []))
}

function withoutOutput(groups: readonly { kind: string }[], source: string): Refusal | null {
  if (groups.some(({ kind }) => kind === 'output')) return null
  return {
    type: 'command_alias',
    range: { from: source.length, to: source.length },
    sentence: () => 'The command has no output; end it with an alias of output_files, as {{out_1}}',
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
function foldersIn(findings: readonly Finding[]): string[] {
  const folders = findings.flatMap((finding) => {
    if (finding.kind === 'use') {
      return finding.role === 'output' && isPlaylistAlias(finding.alias) ? [finding.alias] : []
    }
    return finding.kind === 'file' && finding.access === 'write' ? fixedFolders(finding.path) : []
  })
  return [...new Set(folders)]
}

function fontFoldersIn(findings: readonly Finding[]): string[] {
  const aliases = findings.flatMap((found) => (found.kind === 'font-folder' ? [found.alias] : []))
  return [...new Set(aliases)]
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
