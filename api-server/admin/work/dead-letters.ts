import { timestamp, timestampOrNull } from '../../http/format.ts'
import { deadLetterKinds } from '../../../common/store/administration/dead-letters.ts'
import { stopCommand } from '../../commands/follow/stop-command.ts'
import { findAccount } from '../accounts/account-records.ts'
import { AdminError } from '../command/admin-command.ts'
import { readLimit } from '../command/option-values.ts'
import { table, timeCell } from '../command/table.ts'
import type {
  DeadLetter,
  DeadLetterKind,
} from '../../../common/store/administration/dead-letters.ts'
import type { AdminCommand, AdminDeps, AdminResult, Given } from '../command/admin-command.ts'

const kinds = deadLetterKinds.join(', ')

const list: AdminCommand = {
  name: 'dead-letters list',
  summary:
    'shows commands that the cluster refuses, objects that cannot be deleted, and webhooks whose attempts all failed',
  positionals: [],
  readsOnly: true,
  options: {
    kind: { value: 'KIND', summary: `only ${kinds.replace(/, (\w+)$/, ' or $1')}` },
    account: { value: 'ACCOUNT', summary: 'only of this one' },
    limit: { value: 'N', summary: 'of each kind at most so many; default: 50' },
  },
  async run(deps, given) {
    const which = given.option('account')
    const accountId = which === null ? null : (await findAccount(deps, which)).accountId
    const letters = await deps.store.listDeadLetters({
      kind: kindIn(given.option('kind')),
      accountId,
      limit: readLimit(given.option('limit') ?? '50'),
    })
    const now = deps.effects.clock.wall()
    const rows = letters.map((letter) => [
      letter.kind,
      letter.id,
      letter.account,
      timeCell(letter.since, now),
      String(letter.tries),
      timeCell(letter.retryAt, now),
      letter.problem ?? letter.target,
    ])
    const header = ['KIND', 'ID', 'ACCOUNT', 'SINCE', 'TRIES', 'NEXT TRY', 'PROBLEM']
    return {
      text: rows.length === 0 ? 'There are no dead letters.' : table(header, rows),
      json: letters.map(letterJson),
    }
  },
}

const show: AdminCommand = {
  name: 'dead-letters show',
  summary: 'shows one of them with all that is known of it',
  positionals: ['ID'],
  readsOnly: true,
  options: {},
  async run(deps, given) {
    const letter = await find(deps, given)
    const fields = letterJson(letter)
    const rows = Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')])
    return { text: table(['FIELD', 'VALUE'], rows), json: fields }
  },
}

const retry: AdminCommand = {
  name: 'dead-letters retry',
  summary: 'lets the service try again now',
  positionals: ['ID'],
  options: {},
  async run(deps, given) {
    const letter = await find(deps, given)
    return done(letter, await deps.store.retryDeadLetter(letter), 'is tried again within seconds')
  },
}

const drop: AdminCommand = {
  name: 'dead-letters drop',
  summary:
    'ends the retries: the command ends, the objects stay in the bucket, the webhook is lost',
  positionals: ['ID'],
  options: {},
  async run(deps, given) {
    const letter = await find(deps, given)
    const { kind, id } = letter
    if (kind === 'dispatch') {
      await stopCommand(deps, id, 'administrator')
      return done(letter, true, 'has ended with CANCELLED')
    }
    const result = kind === 'sweep' ? 'stays in the bucket' : 'is not sent any more'
    return done(letter, await deps.store.dropDeadLetter({ kind, id }), result)
  },
}

export const deadLetterCommands: readonly AdminCommand[] = [list, show, retry, drop]

function kindIn(text: string | null): DeadLetterKind | null {
  const kind = deadLetterKinds.find((known) => known === text)
  if (text === null || kind !== undefined) return kind ?? null
  throw new AdminError(`--kind must be one of ${kinds}; got '${text}'`, 2)
}

/** @throws AdminError */
async function find({ store }: AdminDeps, given: Given): Promise<DeadLetter> {
  const id = given.positional('ID')
  const letter = await store.findDeadLetter(id)
  if (letter !== null) return letter
  throw new AdminError(`dead letter '${id}' does not exist: 'dead-letters list' shows the ids`)
}

/** @param changed false: it has been retried or deleted since it was found */
function done(letter: DeadLetter, changed: boolean, result: string): AdminResult {
  const { kind, id, target } = letter
  if (!changed) throw new AdminError(`dead letter '${id}' has ended meanwhile`)
  return { text: `The ${kind} of ${target} ${result}.`, json: letterJson(letter) }
}

function letterJson(letter: DeadLetter) {
  const { kind, id, account, since, tries, retryAt, problem, target } = letter
  return {
    kind,
    id,
    account,
    since: timestamp(since),
    tries,
    retry_at: timestampOrNull(retryAt),
    problem,
    target,
  }
}
