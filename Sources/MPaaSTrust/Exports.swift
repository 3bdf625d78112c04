// Who imports `MPaaSTrust` has age and the errors, too: they are a module of their own for what encrypts only, as logs do.
@_exported public import MPaaSAge
// Lengths of time in the interface are values of this module; who imports `MPaaSTrust` can write them.
@_exported public import MPaaSTime
