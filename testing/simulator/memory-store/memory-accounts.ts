import type { Pause, PauseTarget } from '../../../common/store/administration/pauses.ts'
import { accountOf } from './memory-rows.ts'
import type { Methods, Tables } from './memory-rows.ts'

/** Accounts and their keys. */
export function memoryAccounts(tables: Tables) {
  return {
    ensureAccount(account) {
      const known = [...tables.accounts.values()]
      const found =
        known.find((other) => other.name === account.name) ??
        known.find((other) => other.accountId === account.accountId)
      if (found !== undefined) return found
      const added = { ...account, limits: {}, suspended: false, defaultOutputTtlSeconds: null }
      tables.accounts.set(account.accountId, added)
      return added
    },
    ensureApiKey(key) {
      accountOf(tables, key.accountId)
      const hash = Buffer.from(key.sha256).toString('hex')
      if (!tables.keys.has(hash)) tables.keys.set(hash, key)
    },
    ensureFirstKey({ accountId, sha256 }) {
      accountOf(tables, accountId)
      const hash = Buffer.from(sha256).toString('hex')
      const { isRevoked = false, ...known } = tables.keys.get(hash) ?? { environmentName: null }
      tables.keys.set(hash, { ...known, accountId, isFirst: true, isRevoked })
      const others = [...tables.keys].filter(
        ([other, key]) =>
          other !== hash && key.accountId === accountId && key.isFirst === true && !key.isRevoked,
      )
      for (const [other, key] of others) tables.keys.set(other, { ...key, isRevoked: true })
      return { isRevoked, replaced: others.length }
    },
    findKey(sha256) {
      const keyId = Buffer.from(sha256).toString('hex')
      const key = tables.keys.get(keyId)
      if (key === undefined || key.isRevoked === true) return null
      const { environmentName } = key
      const account = accountOf(tables, key.accountId)
      return { account, keyId, prefix: null, label: null, environmentName, readOnly: false }
    },
    findAccountByName: (name) =>
      [...tables.accounts.values()].find((account) => account.name === name) ?? null,
  } satisfies Partial<Methods>
}

/** Pauses by an administrator. */
export function memoryPauses({ pauses }: Tables, now: () => number) {
  return {
    readPauses: () => [...pauses.values()],
    pause(target, why) {
      const { what, accountId } = columns(target)
      const pausedAt = pauses.get(keyOf(target))?.pausedAt ?? new Date(now())
      pauses.set(keyOf(target), { what, accountId, why, pausedAt })
    },
    resume: (target) => pauses.delete(keyOf(target)),
  } satisfies Partial<Methods>
}

/** Why `what`, or the account's queue, is paused; null = it is not. */
export function pauseOf({ pauses }: Tables, what: Pause['what'], accountId: string): Pause | null {
  return pauses.get(accountId) ?? pauses.get(what) ?? null
}

function keyOf(target: PauseTarget): string {
  return target.what === 'account' ? target.accountId : target.what
}

function columns(target: PauseTarget) {
  return { what: target.what, accountId: target.what === 'account' ? target.accountId : null }
}
