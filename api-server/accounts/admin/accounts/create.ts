import { isEmailAddress } from '../../../http/formats.ts'
import { accountNamePattern } from '../../account-name.ts'
import { accountJson, accountTable } from '../account-view.ts'
import { AdminError } from '../admin-command.ts'
import { findAccount } from '../find-account.ts'
import { knownPlan } from '../known-plan.ts'
import { keyOptions, newKey } from '../new-key.ts'
import type { AdminCommand, Given } from '../admin-command.ts'

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
        `the name '${name}'${email === null ? '' : ` or the address '${email}'`} is taken: 'accounts show' shows by whom, 'keys create' makes further keys`,
      )
    }
    const account = await findAccount(deps, accountId)
    const shown = key === null ? '' : `\n\nAPI key, shown this once:\n${key.apiKey}`
    return {
      text: `${accountTable([account])}${shown}`,
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
  throw new AdminError(`NAME '${name}' is no DNS label: use 1 to 63 of a-z, 0-9 and hyphens inside`)
}

function emailIn(given: Given): string | null {
  const email = given.option('email')
  if (email === null || isEmailAddress(email)) return email?.trim().toLowerCase() ?? null
  throw new AdminError(`--email '${email}' is no address: use name@domain`)
}
