import { readConfig, settingsFrom } from '../common/settings/settings.ts'
import type { Environment } from '../common/settings/environment.ts'
import type { Settings } from '../common/settings/settings.ts'
import type { OperatorConfig } from './operator-config.ts'
import schema from './settings.schema.json' with { type: 'json' }

export type OperatorSettings = Settings<OperatorConfig>

/** @throws InvalidSettings with all mistakes of the file */
export function readSettings(environment: Environment): OperatorSettings {
  return operatorSettings(readConfig(environment), environment)
}

/** @throws InvalidSettings */
export function operatorSettings(config: unknown, environment: Environment): OperatorSettings {
  return settingsFrom<OperatorConfig>(schema, config, environment)
}
