export { browserEffects, uuidV7 } from '../../cli/client/browser-effects.ts'
