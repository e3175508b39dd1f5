import { parseArgs } from 'node:util'
import { clusterSettings } from '../local-cluster/host/settings.ts'
import { judgeUpgrade, longestWait } from '../e2e/upgrade/judge-upgrade.ts'
import { upgradeFrom } from '../e2e/upgrade/upgrade-from.ts'

/**
 * `npm run upgrade-from -- REF`: installs the release that git knows as REF on a cluster of its own, upgrades to this
 * tree, rolls back and upgrades again, with a submission each second. For releases: it takes about ten minutes.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'longest-wait': { type: 'string', default: String(longestWait) } },
})
const [ref, ...rest] = positionals
const longest = Number(values['longest-wait'])
if (ref === undefined || rest.length > 0 || !(longest > 0)) {
  console.error(
    `npm run upgrade-from -- REF [--longest-wait SECONDS], the tag or commit of the earlier release, and how long a command may wait for its start (default ${longestWait})`,
  )
  process.exit(2)
}
const report = await upgradeFrom(ref, {
  instance: process.env['E2E_INSTANCE'] || 'upgrade',
  settings: clusterSettings(process.env),
  say: (text) => console.error(`[upgrade] ${text}`),
})
console.log(JSON.stringify(report, null, 2))
const faults = judgeUpgrade(report, longest)
for (const fault of faults) console.error(`[upgrade] ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)
