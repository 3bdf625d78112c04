// The errors of trust and age come with what verifies.
@_exported public import MPaaSAge
// Lengths of time in the interface are values of this module; who imports `MPaaSVerification` can write them.
@_exported public import MPaaSTime
