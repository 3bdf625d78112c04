// Lengths of time in the interface are values of this module; who imports `MPaaSPerformance` can write them.
@_exported public import MPaaSTime
