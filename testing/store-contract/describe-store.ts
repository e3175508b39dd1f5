import { describeAccounts, describeFigures, describePauses, describeQuotas } from './accounts.ts'
import { describeAdmission } from './admission.ts'
import { describeAttempts, describeProgress } from './attempts.ts'
import { describeCommit } from './commit.ts'
import { describeDeliveries } from './deliveries.ts'
import { describeDispatch } from './dispatch.ts'
import { describeLogs } from './logs.ts'
import { describeMirror } from './mirror.ts'
import { describeResults } from './results.ts'
import { describeWarmRunners, describeStartWaits } from './warm-runners.ts'
import { describeStoredFiles } from './stored-files.ts'
import { describeImport, describeSubmission } from './submission.ts'
import { describeSweep } from './sweep.ts'
import { useSession } from './fixtures.ts'
import type { OpenStore } from './fixtures.ts'

/** Contract of every store; run against the real one and against the simulator's twin. */
export function describeStore(name: string, open: () => Promise<OpenStore>): void {
  describe(`${name} as a store`, () => {
    const session = useSession(open)
    describeAccounts(session)
    describeSubmission(session)
    describeDispatch(session)
    describeImport(session)
    describeAdmission(session)
    describeStartWaits(session)
    describeQuotas(session)
    describeAttempts(session)
    describeProgress(session)
    describeWarmRunners(session)
    describeCommit(session)
    describeStoredFiles(session)
    describeLogs(session)
    describeMirror(session)
    describeSweep(session)
    describeResults(session)
    describeDeliveries(session)
    describePauses(session)
    describeFigures(session)
  })
}
