import { isMemoryOnly, profiles } from '../../shell/session.ts'
import { createWorks } from './works.ts'

/** Drafts of the keys of this tab, in its storage. */
export const workOf = createWorks({ profiles, isMemoryOnly, storage: () => sessionStorage })
