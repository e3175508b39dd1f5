/** What an `ApiKeyRecord` is made of. */
export const apiKeyColumns = `key_id as "keyId", account_id as "accountId", label,
  environment_name as "environmentName", disabled, created_at as "createdAt"`
