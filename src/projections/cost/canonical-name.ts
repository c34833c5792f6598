/** Words of vendors, regions and clouds that stand before the name of a model. */
const before = /^((us|eu|apac|jp|au|global)\.)?(anthropic|openai|google|meta|mistral|amazon|deepseek|qwen)\./

/**
 * The name that a model has with all who sell it: without the seller, the region, the date and the revision.
 *
 * @example canonicalName('bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0') // 'claude-sonnet-4-5'
 */
export function canonicalName(name: string): string {
  const sold = name.split('/').at(-1) ?? name
  const bare = sold
    .toLowerCase()
    .replace(before, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace(/@.*$/, '')
    .replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  // One seller of Claude writes 4.5 for 4-5.
  return bare.startsWith('claude') ? bare.replaceAll(/(\d)\.(\d)/g, '$1-$2') : bare
}
