/** Where the managed policy lies, unless a composition root says otherwise. */
export const systemPolicyRoot = '/etc/troupe'
