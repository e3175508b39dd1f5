/** Parts of the tests that run alone with `--part NAME`, in the order in which they run. */
export const partNames = [
  'quick',
  'servers',
  'database',
  'chart',
  'console',
  'packages',
  'fuzz',
  'ffmpeg',
  'corpus',
  'attacks',
  'simulator',
  'stories',
  'alone',
] as const
export type Part = (typeof partNames)[number]

/** The first that matches is the part of a file. */
const rules: readonly (readonly [pattern: RegExp, part: Part])[] = [
  [/^e2e\/stories\/alone\//, 'alone'],
  [/\.story\.ts$/, 'stories'],
  [/(?<!\.machine|\.gate)\.test\.ts$/, 'quick'],
  [/^e2e\/console\//, 'console'],
  [/^e2e\/(?:installation|monitoring)\//, 'chart'],
  [/^(?:common\/database|testing\/migrations)\//, 'database'],
  [/^testing\/simulator\//, 'simulator'],
  [/^testing\/corpus\//, 'corpus'],
  [/^testing\/attacks\//, 'attacks'],
  [/^testing\/fuzz\//, 'fuzz'],
  [/^testing\/ffmpeg\//, 'ffmpeg'],
  [/^(?:scripts|testing\/go)\//, 'packages'],
]

export function partOf(file: string): Part {
  return rules.find(([pattern]) => pattern.test(file))?.[1] ?? 'servers'
}

/** Whether `npm test` runs a file: a quick test, or one with `.gate.` in its name. `npm run test:full` runs all. */
export function isInGate(file: string): boolean {
  return partOf(file) === 'quick' || file.includes('.gate.')
}

/** Whether a part needs programs that have to be built first. */
export function needsPrograms(part: Part): boolean {
  return part !== 'quick'
}

/** Whether a part runs on the cluster of the stories. */
export function needsCluster(part: Part): boolean {
  return part === 'stories' || part === 'alone'
}

/** @throws Error listing the parts there are */
export function parsePart(text: string): Part {
  const part = partNames.find((each) => each === text)
  if (part === undefined) throw new Error(`part '${text}': use one of ${partNames.join(', ')}`)
  return part
}
