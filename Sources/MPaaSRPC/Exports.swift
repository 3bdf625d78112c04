// Lengths of time in the interface are values of this module; who imports `MPaaSRPC` can write them.
@_exported public import MPaaSTime
