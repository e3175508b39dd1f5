import { isEmailAddress } from '../../http/formats.ts'
import { accountNamePattern } from '../../accounts/account-name.ts'
import { accountJson, accountTable, findAccount, knownPlan } from './account-records.ts'
import { AdminError } from '../command/admin-command.ts'
import { keyOptions, newKey, keyJson, keyTable } from './key-records.ts'
import type { AdminCommand, Given, AdminDeps, AdminResult } from '../command/admin-command.ts'
import type { AccountChange } from '../../../common/store/accounts.ts'

export const createAccount: AdminCommand = {
  name: 'accounts create',
  summary: 'makes an account and its first key, which is shown this once',
  positionals: ['NAME'],
  options: {
    plan: { value: 'PLAN', summary: "default: that of the chart's accounts.plan" },
    email: { value: 'ADDRESS', summary: 'lets its owner ask for further keys by mail' },
    'no-key': { summary: 'no key yet' },
    ...keyOptions,
  },
  async run(deps, given) {
    const name = nameIn(given)
    const plan = knownPlan(deps, given.option('plan') ?? deps.defaultPlan)
    const email = emailIn(given)
    const key = given.flag('no-key') ? null : newKey(deps, given)
    const accountId = deps.newId()
    const made = { accountId, name, plan, email }
    if (!(await deps.store.createAccount(made, key?.stored ?? null))) {
      throw new AdminError(
        `the name '${name}'${email === null ? '' : ` or the address '${email}'`} is taken: 'accounts show' shows its account, 'keys create' creates further keys`,
      )
    }
    const account = await findAccount(deps, accountId)
    const shown = key === null ? '' : `\n\nAPI key, shown this once:\n${key.apiKey}`
    return {
      text: `${accountTable([account], deps.effects.clock.wall())}${shown}`,
      json: {
        ...accountJson(account),
        key_id: key?.stored.keyId ?? null,
        api_key: key?.apiKey ?? null,
      },
    }
  },
}

function nameIn(given: Given): string {
  const name = given.positional('NAME')
  if (accountNamePattern.test(name)) return name
  throw new AdminError(
    `NAME '${name}' is not a DNS label: use 1 to 63 of a-z, 0-9 and hyphens inside`,
  )
}

function emailIn(given: Given): string | null {
  const email = given.option('email')
  if (email === null || isEmailAddress(email)) return email?.trim().toLowerCase() ?? null
  throw new AdminError(`--email '${email}' is not an e-mail address: use name@domain`)
}

export const listAccounts: AdminCommand = {
  name: 'accounts list',
  readsOnly: true,
  summary: 'shows all accounts',
  positionals: [],
  options: {},
  async run({ store, effects }) {
    const accounts = await store.listAccounts(null)
    return { text: accountTable(accounts, effects.clock.wall()), json: accounts.map(accountJson) }
  },
}

export const showAccount: AdminCommand = {
  name: 'accounts show',
  readsOnly: true,
  summary: 'shows one account and its keys',
  positionals: ['ACCOUNT'],
  options: {},
  async run(deps, given) {
    const account = await findAccount(deps, given.positional('ACCOUNT'))
    const keys = await deps.store.listApiKeys(account.accountId)
    return {
      text: `${accountTable([account], deps.effects.clock.wall())}\n\n${keyTable(keys, deps.effects.clock.wall())}`,
      json: { ...accountJson(account), keys: keys.map(keyJson) },
    }
  },
}

export const setPlan: AdminCommand = {
  name: 'accounts set-plan',
  summary: 'puts an account on another plan, for what it submits within seconds from now on',
  positionals: ['ACCOUNT', 'PLAN'],
  options: {},
  run: async (deps, given) =>
    change(deps, given, { plan: knownPlan(deps, given.positional('PLAN')) }),
}

export const suspendAccount: AdminCommand = {
  name: 'accounts suspend',
  summary:
    'refuses new commands and files of an account; it may read and delete, and running commands continue',
  positionals: ['ACCOUNT'],
  options: {},
  run: (deps, given) => change(deps, given, { suspended: true }),
}

export const resumeAccount: AdminCommand = {
  name: 'accounts resume',
  summary: 'takes a suspension back',
  positionals: ['ACCOUNT'],
  options: {},
  run: (deps, given) => change(deps, given, { suspended: false }),
}

const least = 60
const most = 31_536_000

export const setOutputTtl: AdminCommand = {
  name: 'accounts set-output-ttl',
  summary: 'deletes outputs so long after the end of their command, unless it says otherwise',
  positionals: ['ACCOUNT', 'SECONDS|none'],
  options: {},
  run: async (deps, given) =>
    change(deps, given, { defaultOutputTtlSeconds: secondsFrom(given.positional('SECONDS|none')) }),
}

function secondsFrom(text: string): number | null {
  if (text === 'none') return null
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (seconds >= least && seconds <= most) return seconds
  throw new AdminError(
    `SECONDS must be an integer from ${least} to ${most}, or 'none'; got '${text}'`,
  )
}

/** Changes the account named by ACCOUNT and shows it. @throws AdminError */
export async function change(
  deps: AdminDeps,
  given: Given,
  to: AccountChange,
): Promise<AdminResult> {
  const { accountId } = await findAccount(deps, given.positional('ACCOUNT'))
  await deps.store.changeAccount(accountId, to)
  const account = await findAccount(deps, accountId)
  return { text: accountTable([account], deps.effects.clock.wall()), json: accountJson(account) }
}
