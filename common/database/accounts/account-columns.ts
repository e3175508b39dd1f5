/** Select list of an `Account`; the table is `a` in every statement. */
export const accountColumns = `a.account_id as "accountId", a.name, a.plan, a.limits, a.suspended,
  a.default_output_ttl_seconds as "defaultOutputTtlSeconds"`
