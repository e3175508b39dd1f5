import { sleep } from '../../../common/runtime/effects.ts'
import { secondsIn } from '../command/option-values.ts'
import { findAccount } from './account-records.ts'
import type { AdminCommand, AdminDeps } from '../command/admin-command.ts'

const lookEveryMs = 1_000
/** Lines of progress. */
const reportEveryMs = 10_000

export const drainAccount: AdminCommand = {
  name: 'drain account',
  summary: 'suspends an account and waits until its commands and files have ended',
  positionals: ['ACCOUNT'],
  options: {
    timeout: { value: 'TIME', summary: 'wait at most so long, such as 30m; default: 1h' },
  },
  async run(deps, given) {
    const { accountId, name } = await findAccount(deps, given.positional('ACCOUNT'))
    const timeoutMs = secondsIn('timeout', given.option('timeout') ?? '1h') * 1_000
    await deps.store.changeAccount(accountId, { suspended: true })
    const left = given.isRehearsal
      ? await deps.store.countUnfinished(accountId)
      : await ended(deps, accountId, timeoutMs)
    const resume = `'accounts resume ${name}' lets it submit again.`
    return {
      text:
        left === 0
          ? `Account ${name} is suspended, and all of its work has ended. ${resume}`
          : `Account ${name} is suspended; ${left} of its commands and files have not ended. 'queue --account ${name}' shows what they wait for. ${resume}`,
      json: { account_id: accountId, account: name, suspended: true, unfinished: left },
      failed: left > 0 && !given.isRehearsal,
    }
  },
}

async function ended(deps: AdminDeps, accountId: string, timeoutMs: number): Promise<number> {
  const { clock } = deps.effects
  const begun = clock.monotonicMs()
  let reported = begun
  for (;;) {
    const left = await deps.store.countUnfinished(accountId)
    const now = clock.monotonicMs()
    if (left === 0 || now - begun >= timeoutMs) return left
    if (now - reported >= reportEveryMs) {
      reported = now
      deps.report(`${left} commands and files have not ended`)
    }
    await sleep(clock, lookEveryMs)
  }
}
