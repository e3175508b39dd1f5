import { ContractBlocked } from '../../common/database/migration/contract.ts'
import { AdminError } from './command/admin-command.ts'
import { table } from './command/table.ts'
import type { AdminCommand } from './command/admin-command.ts'
import type {
  FileStatus,
  MigrationStatus,
} from '../../common/database/migration/migration-status.ts'

export const migrateCommand: AdminCommand = {
  name: 'migrate',
  summary:
    'shows the migrations of the database and the programs on it, or removes what only older programs use',
  positionals: [],
  readsOnly: true,
  changesWith: 'contract',
  canRehearse: false,
  options: {
    status: { summary: 'migrations, their steps, and programs with their level' },
    contract: { summary: 'applies contract migrations; rollback ends at their oldest level' },
  },
  async run({ migrations }, given) {
    if (given.flag('status') === given.flag('contract')) {
      throw new AdminError('migrate needs one of --status and --contract', 2)
    }
    if (given.flag('contract')) await contractNow(() => migrations.contract())
    const status = await migrations.status()
    return { text: statusText(status), json: statusJson(status) }
  },
}

async function contractNow(contract: () => Promise<unknown>): Promise<void> {
  try {
    await contract()
  } catch (error) {
    if (!(error instanceof ContractBlocked)) throw error
    throw new AdminError(error.message)
  }
}

function statusText({ level, migrations, programs }: MigrationStatus): string {
  const files = table(
    ['VERSION', 'NAME', 'PHASE', 'OLDEST', 'STATE'],
    migrations.map((file) => [
      `${file.version}`,
      file.name,
      file.phase,
      `${file.oldestProgram}`,
      stateText(file),
    ]),
  )
  const seen = table(
    ['PROGRAM', 'LEVEL', 'SEEN'],
    programs.map(({ instance, level: of, seenSeconds }) => [
      instance,
      `${of}`,
      `${Math.round(seenSeconds)} s ago`,
    ]),
  )
  return `This program has level ${level}.\n\n${files}\n\n${seen}`
}

function stateText({ state, stepsDone, steps, blockedBy }: FileStatus): string {
  if (state === 'running') return `running, ${stepsDone} of ${steps} steps`
  return blockedBy.length === 0 ? state : `${state}: ${blockedBy.join('; ')}`
}

function statusJson({ level, migrations, programs }: MigrationStatus): object {
  return {
    level,
    migrations: migrations.map((file) => ({
      version: file.version,
      name: file.name,
      phase: file.phase,
      oldest_program: file.oldestProgram,
      state: file.state,
      steps_done: file.stepsDone,
      steps: file.steps,
      blocked_by: file.blockedBy,
    })),
    programs: programs.map(({ instance, level: of, seenSeconds }) => ({
      instance,
      level: of,
      seen_seconds_ago: Math.round(seenSeconds),
    })),
  }
}
