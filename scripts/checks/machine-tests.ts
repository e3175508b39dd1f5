import type { SourceFile } from './imports.ts'

/**
 * Modules that build or start a program that is not an npm package: tests that reach it are named `*.machine.test.ts`, or
 * `*.gate.test.ts` where `npm test` runs them.
 */
const builders = [
  'testing/support/object-store.ts',
  'testing/browser/launch-browser.ts',
  'images/build-runner.ts',
  'e2e/installation/chart.fixture.ts',
  'local-cluster/tools/python-package.ts',
  'local-cluster/tools/go.ts',
]

/** Parts that are tested by themselves, without what they build. */
const exempt = 'local-cluster/'

/**
 * Tests that reach a builder by their imports of values and are not named for it: they would fail or wait for minutes
 * in `npm test -- --part quick`.
 */
export function misnamedTests(files: readonly SourceFile[]): string[] {
  const byFile = new Map(files.map((one) => [one.file, one]))
  return files
    .filter(({ file }) => /(?<!\.machine|\.gate)\.test\.ts$/.test(file))
    .filter(({ file }) => !file.startsWith(exempt))
    .flatMap(({ file }) => {
      const builder = builderOf(file, byFile)
      return builder === undefined
        ? []
        : [`${file} reaches ${builder}: name it ${file.replace(/\.test\.ts$/, '.machine.test.ts')}`]
    })
}

function builderOf(test: string, byFile: ReadonlyMap<string, SourceFile>): string | undefined {
  const seen = new Set([test])
  // A set yields what is added to it while it is walked.
  for (const file of seen) {
    if (builders.includes(file)) return file
    for (const to of byFile.get(file)?.values ?? []) seen.add(to)
  }
  return undefined
}
