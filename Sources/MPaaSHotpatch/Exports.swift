// Lengths of time in the interface are values of this module; who imports `MPaaSHotpatch` can write them.
@_exported public import MPaaSTime
