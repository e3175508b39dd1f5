import { redact } from '../../../common/runtime/redact.ts'
import { timestamp } from '../../http/format.ts'
import { settingsShown } from './settings-shown.ts'
import type { AdminCommand, AdminDeps } from '../command/admin-command.ts'

/** Largest number of items of each kind. */
const most = 50

export const supportBundle: AdminCommand = {
  name: 'support-bundle',
  summary:
    'prints versions, settings without secrets, figures, metrics and what fails, as JSON to attach to a report',
  positionals: [],
  options: {},
  readsOnly: true,
  async run(deps) {
    const bundle = await bundleOf(deps)
    return { text: JSON.stringify(bundle, null, 2), json: bundle }
  },
}

async function bundleOf(deps: AdminDeps): Promise<object> {
  const { store, readMigrations, host, effects } = deps
  const { version, settings, environment, readMetrics } = deps.process
  const [figures, pauses, errors, letters, actions, migrations, metrics] = await Promise.all([
    store.gauges(),
    store.readPauses(),
    store.countErrors({ hours: 24 }),
    store.listDeadLetters({ kind: null, accountId: null, limit: most }),
    store.listAdminActions(most),
    readMigrations(),
    readMetrics(),
  ])
  return {
    made_at: timestamp(effects.clock.wall()),
    host,
    version,
    node: process.version,
    settings: settingsShown(settings, environment),
    migrations,
    figures,
    pauses: pauses.map(({ what, why, pausedAt }) => ({ what, why, paused_at: pausedAt })),
    failed_commands_of_24_hours: errors,
    // URLs and names of accounts are those of customers.
    dead_letters: letters.map(({ kind, id, since, tries, retryAt, problem }) => ({
      kind,
      id,
      since,
      tries,
      retry_at: retryAt,
      problem: problem === null ? null : redact(problem),
    })),
    admin_actions: actions.map(({ doneAt, command }) => ({ done_at: doneAt, command })),
    metrics,
  }
}
