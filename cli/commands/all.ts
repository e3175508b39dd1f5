import { keys } from './account/keys.ts'
import { usage } from './account/usage.ts'
import { webhooks } from './account/webhooks.ts'
import { whoami } from './account/whoami.ts'
import { cancel } from './cancel.ts'
import { download } from './download.ts'
import { files } from './files.ts'
import { list } from './list.ts'
import { logs } from './logs.ts'
import { completion } from './machine/completion.ts'
import { doctor } from './machine/doctor.ts'
import { login } from './machine/login.ts'
import { logout } from './machine/logout.ts'
import { profiles } from './machine/profiles.ts'
import { use } from './machine/use.ts'
import { version } from './machine/version.ts'
import { open } from './open.ts'
import { rerun } from './rerun.ts'
import { run } from './run.ts'
import { show } from './show.ts'
import { status } from './status.ts'
import { validate } from './validate.ts'

/** Every command of the tool by its name, in the order of the help. */
export const commands = {
  run,
  rerun,
  validate,
  list,
  status,
  show,
  logs,
  cancel,
  download,
  open,
  files,
  webhooks,
  keys,
  usage,
  whoami,
  login,
  logout,
  profiles,
  use,
  doctor,
  completion,
  version,
}
