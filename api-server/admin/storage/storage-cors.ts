import { storageUrl } from '../../../common/domain/storage-keys.ts'
import { AdminError } from '../command/admin-command.ts'
import { table } from '../command/table.ts'
import { orExplain } from './explain-refusal.ts'
import { checkCors } from './check-cors.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import { exampleOrigin, originMistake, ruleFor, withRule } from './cors-rules.ts'
import type { AdminCommand, AdminResult, StorageAdmin } from '../command/admin-command.ts'

export const storageCors: AdminCommand = {
  name: 'storage cors',
  summary: 'lets web pages read the bucket and upload to it (GET, HEAD, PUT)',
  positionals: [],
  options: {
    origin: {
      value: 'ORIGIN',
      many: true,
      summary: "whose pages may; 'https://*.example.com' is many; default: all",
    },
    check: { summary: 'changes nothing and shows what the storage answers to such pages' },
  },
  needsDatabase: false,
  async run({ openStorage, effects: { clock } }, given) {
    const origins = originsIn(given.options('origin'))
    const storage = await openStorage()
    try {
      return given.flag('check')
        ? await check(storage, origins, clock)
        : await apply(storage, origins)
    } finally {
      storage.cors.close()
      storage.setUp.close()
    }
  },
}

function originsIn(given: readonly string[]): readonly string[] {
  for (const origin of given) {
    const mistake = originMistake(origin)
    if (mistake !== null) throw new AdminError(`--origin '${origin}' ${mistake}`)
  }
  return given.length === 0 ? ['*'] : given
}

async function apply(
  { cors, bucket }: StorageAdmin,
  origins: readonly string[],
): Promise<AdminResult> {
  const rule = ruleFor(origins)
  const rules = await orExplain(async () => {
    const all = withRule(await cors.rules(), rule)
    await cors.replace(all)
    return all
  })
  const others = rules.length - 1
  const kept = others === 0 ? '' : ` Its other rules (${others}) are as they were.`
  return {
    text: `Bucket ${bucket} answers pages of ${origins.join(', ')}.${kept} 'storage cors --check' shows what they get.`,
    json: { bucket, rules },
  }
}

async function check(
  storage: StorageAdmin,
  origins: readonly string[],
  clock: Clock,
): Promise<AdminResult> {
  const { cors, publicBaseUrl, fetch } = storage
  const key = await orExplain(() => cors.anyKey('public/'))
  const publicUrl = key === null ? null : storageUrl(publicBaseUrl, key)
  const partUrl = await cors.partUrl()
  const checks = await Promise.all(
    origins.map((origin) =>
      checkCors({ fetch, clock, origin: exampleOrigin(origin), partUrl, publicUrl }),
    ),
  )
  const all = checks.flat()
  const failed = all.some(({ problem }) => problem !== null)
  const rows = all.map(({ what, origin, url, problem }) => [
    what,
    origin,
    problem ?? 'allowed',
    url,
  ])
  const notes = [
    ...(publicUrl === null ? ["'read' is not checked: the bucket has no public object yet."] : []),
    ...(failed ? ["'storage cors' without --check writes a rule that allows both."] : []),
  ]
  return {
    text: [table(['REQUEST', 'ORIGIN', 'RESULT', 'URL'], rows), ...notes].join('\n'),
    json: { bucket: storage.bucket, checks: all },
    failed,
  }
}
