import { atTopLevel, statementsOf } from './statements.ts'

/**
 * Statements that would lock a table of a running installation for longer than a moment, rewrite or scan it under
 * a lock, or break the program of the release before.
 * @param text of a file; a line `-- contract` says that the release before does not use what it removes
 */
export function migrationMistakes(text: string): string[] {
  const statements = statementsOf(text)
  if (statements.length === 0) return ['it has no statement']
  const file = { text, own: tablesMadeBy(statements), isContract: /^-- contract\b/m.test(text) }
  const concurrent = statements.some((statement) => /\bconcurrently\b/.test(statement))
  return [
    ...(concurrent && statements.length > 1
      ? ['a statement with CONCURRENTLY must be the only one of its file']
      : []),
    ...statements.flatMap((statement) => statementMistakes(file, statement)),
  ]
}

interface File {
  readonly text: string
  /** Tables that it makes: no program uses them yet, so their locks hold nothing up. */
  readonly own: ReadonlySet<string>
  readonly isContract: boolean
}

function tablesMadeBy(statements: readonly string[]): Set<string> {
  const made = statements.map(
    (statement) => /^create table (?:if not exists )?([\w."]+)/.exec(statement)?.[1],
  )
  return new Set(made.filter((name) => name !== undefined))
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

function statementMistakes(file: File, statement: string): string[] {
  const { own } = file
  const allowed = file.isContract ? [...kinds, ...contractKinds] : kinds
  if (!allowed.some((kind) => kind.test(statement))) {
    return [`'${statement.slice(0, 40)}' is not allowed`]
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
function actionMistakes({ text, isContract }: File, action: string): string[] {
  const column = /^add (?:column )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b|exclude\b)/
  if (column.test(action)) return columnMistakes(action)
  if (action.startsWith('add ')) return constraintMistakes(action)
  if (/^alter (?:column )?\S+ (?:set data )?type /.test(action)) return ['a type must not change']
  if (action.endsWith(' set not null') && !/validate constraint/i.test(text)) {
    return ['SET NOT NULL scans the table unless a check in front of it is validated']
  }
  if (/^(?:drop|rename)\b/.test(action) && !isContract) {
    return [`'${action}' must wait for a release after the last one that uses it: -- contract`]
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
      ? ['a constraint of a new column must be added NOT VALID and validated in a later file']
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
    : ['a constraint must be added NOT VALID and validated in a later file']
}
