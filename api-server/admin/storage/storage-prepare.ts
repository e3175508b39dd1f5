import { orExplain } from './explain-refusal.ts'
import type { AdminCommand } from '../command/admin-command.ts'

export const storagePrepare: AdminCommand = {
  name: 'storage prepare',
  summary: 'makes the bucket unless it is there, and lets anyone read what is below public/',
  positionals: [],
  options: {},
  needsDatabase: false,
  async run({ openStorage }) {
    const { bucket, setUp, cors } = await openStorage()
    try {
      const created = await orExplain(() => setUp.create())
      const published = await orExplain(() => setUp.publish())
      const made = created ? `Bucket ${bucket} was made.` : `Bucket ${bucket} is there.`
      const policy = published ? 'Anyone may now read' : 'Anyone may read, as before,'
      return {
        text: `${made} ${policy} what is below public/.`,
        json: { bucket, created, published },
      }
    } finally {
      setUp.close()
      cors.close()
    }
  },
}
