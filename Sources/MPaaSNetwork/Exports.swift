// Programs import `MPaaSNetwork` for all of it: the conditions are a module of their own for the command, which has no
// proxies in it.
@_exported public import MPaaSNetworkConditions
