// Lengths of time in the interface are values of this module; who imports `MPaaSFramework` can write them.
@_exported public import MPaaSTime
