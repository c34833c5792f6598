/** Everything but some files and one program. */
export const lineRules = {
  allow: ['Bash'],
  deny: ['Read(.env)', 'Read(./secrets/**)', 'Read(./module/closed/**)', 'Edit(./src/**)', 'Bash(forbidden:*)'],
}
