import { atTopLevel, statementsOf } from './statements.ts'
import type { Migration, Step } from '../../common/database/migration/migration-files.ts'

/**
 * Statements that would lock a table of a running installation for longer than a moment, rewrite or scan it under
 * a lock, or break the program of the release before. One line for each place.
 */
export function migrationMistakes(files: readonly Migration[]): string[] {
  return files.flatMap((file, index) => {
    const before = files[index - 1]
    const own = tablesMadeBy(file)
    const mistakes = [
      ...headMistakes(file, before),
      ...file.steps.flatMap((step) =>
        stepMistakes(file, step, own).map((mistake) => `step ${step.name}: ${mistake}`),
      ),
    ]
    return mistakes.map((mistake) => `${file.version}: ${mistake}`)
  })
}

function headMistakes({ version, phase, oldest, text }: Migration, before?: Migration): string[] {
  const [head = ''] = text.split(/^-- step:/m)
  return [
    ...(statementsOf(head).length > 0 ? ['a statement stands in front of the first step'] : []),
    ...(before !== undefined && oldest < before.oldest
      ? [`'oldest' must not fall; it is ${before.oldest} before`]
      : []),
    ...(phase !== 'contract' && oldest === version
      ? ['the release before must run on it: `oldest` must be below its version']
      : []),
    ...(phase === 'contract' && oldest === version
      ? ['rollback by one version must work: `oldest` must be a level of an earlier release']
      : []),
  ]
}

/** Tables that a file makes: no program uses them yet, so their locks hold nothing up. */
function tablesMadeBy({ steps }: Migration): Set<string> {
  const made = steps
    .flatMap(({ sql }) => statementsOf(sql))
    .map((statement) => /^create table (?:if not exists )?([\w."]+)/.exec(statement)?.[1])
  return new Set(made.filter((name) => name !== undefined))
}

function stepMistakes(file: Migration, { sql }: Step, own: ReadonlySet<string>): string[] {
  const statements = statementsOf(sql)
  if (statements.length === 0) return ['it has no statement']
  if (file.phase === 'backfill') return backfillMistakes(statements)
  const concurrent = statements.some((statement) => /\bconcurrently\b/.test(statement))
  return [
    ...(concurrent && statements.length > 1
      ? ['a statement with CONCURRENTLY must be the only one of its step']
      : []),
    ...statements.flatMap((statement) => statementMistakes(file, statement, own)),
  ]
}

function backfillMistakes(statements: readonly string[]): string[] {
  const [statement = ''] = statements
  const has = (pattern: RegExp, mistake: string) => (pattern.test(statement) ? [] : [mistake])
  return [
    ...(statements.length > 1 ? ['a backfill step must be one statement'] : []),
    ...has(/\$1\b/, 'a backfill must begin after the cursor $1'),
    ...has(/\blimit \$2\b/, 'a backfill must take a batch: `limit $2`'),
    ...has(/\border by\b/, 'a backfill must go by key: `order by`'),
    ...has(/\bas cursor\b/, 'a backfill must return its last key `as cursor`'),
  ]
}

const kinds = [
  /^create table /,
  /^create (?:unique )?index /,
  /^create (?:or replace )?function /,
  /^create (?:or replace |constraint )?trigger /,
  /^alter table /,
  /^comment on /,
]
const contractKinds = [/^drop (?:table|index|trigger|function) /]

function statementMistakes(file: Migration, statement: string, own: ReadonlySet<string>): string[] {
  const allowed = file.phase === 'contract' ? [...kinds, ...contractKinds] : kinds
  if (!allowed.some((kind) => kind.test(statement))) {
    return [`'${statement.slice(0, 40)}' is not allowed in a file of the phase ${file.phase}`]
  }
  if (/^create (?:unique )?index /.test(statement)) return indexMistakes(statement, own)
  if (/^drop index (?!concurrently if exists )/.test(statement)) {
    return ['an index must be dropped by `drop index concurrently if exists`']
  }
  const table = /^alter table (?:if exists )?(?:only )?([\w."]+) (.*)$/.exec(statement)
  if (table === null || own.has(table[1] ?? '')) return []
  return atTopLevel(table[2] ?? '').flatMap((action) => actionMistakes(file, action))
}

function indexMistakes(statement: string, own: ReadonlySet<string>): string[] {
  const on = / on (?:only )?([\w."]+)/.exec(statement)?.[1] ?? ''
  if (own.has(on)) return []
  return /^create (?:unique )?index concurrently (?!if not exists)[a-z]/.test(statement)
    ? []
    : [`the index on ${on} must be created CONCURRENTLY by name, without IF NOT EXISTS`]
}

/** Mistakes of one action of ALTER TABLE on a table that programs use. */
function actionMistakes({ phase, text }: Migration, action: string): string[] {
  const column = /^add (?:column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b)/
  if (column.test(action)) return columnMistakes(action)
  if (action.startsWith('add ')) return constraintMistakes(action)
  if (/^alter (?:column )?\S+ (?:set data )?type /.test(action)) return ['a type must not change']
  if (action.endsWith(' set not null') && !/validate constraint/i.test(text)) {
    return ['SET NOT NULL scans the table unless a check in front of it is validated']
  }
  if (/^(?:drop|rename)\b/.test(action) && phase !== 'contract') {
    return [`'${action}' must be in a contract file`]
  }
  const unknown = !/^(?:validate constraint|alter|drop|rename|set \()/.test(action)
  return unknown ? [`'${action}' is not an action of an online migration`] : []
}

const literal = /^(?:''(?:::[\w[\]]+)?|-?\d[\d.]*|true|false|null|now\(\)|current_timestamp)(?= |$)/

function columnMistakes(action: string): string[] {
  const given = / default (.*)$/.exec(action)?.[1]
  return [
    ...(/\bgenerated\b/.test(action) ? ['a generated column rewrites the table'] : []),
    ...(/\b(?:small|big)?serial\b/.test(action) ? ['a serial column rewrites the table'] : []),
    ...(given !== undefined && !literal.test(given)
      ? ['the default of a new column must be a constant: a volatile one rewrites the table']
      : []),
    ...(/\bnot null\b/.test(action) && given === undefined
      ? ['a new column must be null or have a default: older programs do not write it']
      : []),
    ...(/\b(?:check|references|unique|primary key)\b/.test(action)
      ? ['a constraint of a new column must be added NOT VALID and validated in a later step']
      : []),
  ]
}

function constraintMistakes(action: string): string[] {
  if (/\b(?:unique|primary key)\b/.test(action)) {
    return / using index /.test(action)
      ? []
      : ['a key must use an index that was created concurrently: USING INDEX']
  }
  return action.endsWith(' not valid')
    ? []
    : ['a constraint must be added NOT VALID and validated in a later step']
}
