import { createAccount } from './accounts/create.ts'
import { listAccounts } from './accounts/list.ts'
import { resumeAccount } from './accounts/resume.ts'
import { setOutputTtl } from './accounts/set-output-ttl.ts'
import { setPlan } from './accounts/set-plan.ts'
import { showAccount } from './accounts/show.ts'
import { suspendAccount } from './accounts/suspend.ts'
import { createKey } from './keys/create.ts'
import { listKeys } from './keys/list.ts'
import { revokeKey } from './keys/revoke.ts'
import { setEnvironment } from './keys/set-environment.ts'
import { storageCors } from './storage/cors.ts'
import type { AdminCommand } from './admin-command.ts'

/** In the order of the usage. */
export const adminCommands: readonly AdminCommand[] = [
  ...[createAccount, listAccounts, showAccount, setPlan, suspendAccount, resumeAccount],
  ...[setOutputTtl, createKey, listKeys, revokeKey, setEnvironment, storageCors],
]
