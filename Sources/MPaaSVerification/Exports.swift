// Who verifies has the errors of trust and age, too.
@_exported public import MPaaSAge
// Lengths of time in the interface are values of this module; who imports `MPaaSVerification` can write them.
@_exported public import MPaaSTime
