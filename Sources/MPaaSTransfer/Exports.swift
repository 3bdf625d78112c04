// Lengths of time in the interface are values of this module; who imports `MPaaSTransfer` can write them.
@_exported public import MPaaSTime
