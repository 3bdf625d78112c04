// Who imports `MPaaSHotpatch` can write the keys, the identities and the lengths of time in its interface.
@_exported public import MPaaSTime
@_exported public import MPaaSVerification
