import path from 'node:path'
import { takePictures } from '../e2e/console/take-pictures.fixture.ts'

/** `npm run screenshots`: the pictures of the README, of the real console over a seeded database. */
await takePictures(path.resolve(import.meta.dirname, '../docs/images'))
process.exit()
